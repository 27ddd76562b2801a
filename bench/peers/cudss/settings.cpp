// SPDX-License-Identifier: BSD-3-Clause
#include "settings.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace frond::bench {
namespace {

struct Word {
    const char* text;
    int value;
};

/// A parameter whose value is one of `words`, or an integer when there are none.
struct IntegerKey {
    const char* name;
    cudssConfigParam_t parameter;
    std::vector<Word> words = {};
};

const std::vector<IntegerKey>& integer_keys() {
    static const std::vector<IntegerKey> keys{
        {"reorder",
         CUDSS_CONFIG_REORDERING_ALG,
         {{"default", CUDSS_REORDERING_ALG_DEFAULT},
          {"btf_colamd", CUDSS_REORDERING_ALG_BTF_COLAMD},
          {"colamd", CUDSS_REORDERING_ALG_COLAMD},
          {"amd", CUDSS_REORDERING_ALG_AMD},
          {"nested_dissection", CUDSS_REORDERING_ALG_NESTED_DISSECTION},
          {"none", CUDSS_REORDERING_ALG_NONE}}},
        {"matching",
         CUDSS_CONFIG_MATCHING_ALG,
         {{"none", CUDSS_MATCHING_ALG_NONE},
          {"count", CUDSS_MATCHING_ALG_MAX_DIAG_COUNT},
          {"smallest", CUDSS_MATCHING_ALG_MAX_MIN_DIAG},
          {"smallest_alternative", CUDSS_MATCHING_ALG_MAX_MIN_DIAG_ALT},
          {"sum", CUDSS_MATCHING_ALG_MAX_DIAG_SUM},
          {"product", CUDSS_MATCHING_ALG_MAX_DIAG_PRODUCT},
          {"auto", CUDSS_MATCHING_ALG_AUTO}}},
        {"pivot",
         CUDSS_CONFIG_PIVOT_TYPE,
         {{"auto", CUDSS_PIVOT_AUTO},
          {"none", CUDSS_PIVOT_NONE},
          {"columns", CUDSS_PIVOT_GLOBAL_COL},
          {"rows", CUDSS_PIVOT_GLOBAL_ROW},
          {"diagonal", CUDSS_PIVOT_DIAGONAL},
          {"block", CUDSS_PIVOT_LOCAL_BLOCK},
          {"bunch_kaufman", CUDSS_PIVOT_BUNCH_KAUFMAN}}},
        {"factorization",
         CUDSS_CONFIG_FACTORIZATION_ALG,
         {{"default", CUDSS_FACTORIZATION_ALG_DEFAULT},
          {"multiblock", CUDSS_FACTORIZATION_ALG_MULTIBLOCK},
          {"general", CUDSS_FACTORIZATION_ALG_GENERAL}}},
        {"epsilon_rule",
         CUDSS_CONFIG_PIVOT_EPSILON_ALG,
         {{"default", CUDSS_PIVOT_EPSILON_ALG_DEFAULT},
          {"scaled", CUDSS_PIVOT_EPSILON_ALG_SCALED},
          {"static", CUDSS_PIVOT_EPSILON_ALG_STATIC}}},
        {"refine", CUDSS_CONFIG_IR_N_STEPS},
        {"levels", CUDSS_CONFIG_ND_NLEVELS},
        {"imbalance", CUDSS_CONFIG_ND_UBFACTOR},
        {"superpanels", CUDSS_CONFIG_USE_SUPERPANELS},
        {"hybrid_execute", CUDSS_CONFIG_HYBRID_EXECUTE_MODE},
        {"hybrid_memory", CUDSS_CONFIG_HYBRID_MEMORY_MODE},
        {"deterministic", CUDSS_CONFIG_DETERMINISTIC_MODE},
        {"nonsymmetric_matching", CUDSS_CONFIG_FORCE_NONSYMMETRIC_MATCHING},
    };
    return keys;
}

// What is worth a row beside the defaults.
const std::string best = "best", all_threads = "threads=0";

struct NumberKey {
    const char* name;
    cudssConfigParam_t parameter;
};

constexpr NumberKey number_keys[] = {{"tolerance", CUDSS_CONFIG_IR_TOL},
                                     {"threshold", CUDSS_CONFIG_PIVOT_THRESHOLD},
                                     {"epsilon", CUDSS_CONFIG_PIVOT_EPSILON}};

template <class Number>
Number parsed(const std::string& key, const std::string& text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end)
        throw std::runtime_error("cuDSS: " + key + "=" + text + " is no number of its kind");
    return value;
}

int integer_value(const IntegerKey& key, const std::string& text) {
    if (key.words.empty()) return parsed<int>(key.name, text);
    std::string known;
    for (const Word& w : key.words) {
        if (text == w.text) return w.value;
        known += std::string(" ") + w.text;
    }
    throw std::runtime_error("cuDSS: " + std::string(key.name) + "=" + text + ": one of" + known);
}

template <class Value>
void set(cudssConfig_t config, cudssConfigParam_t parameter, Value value, const std::string& name) {
    check(cudss_library().cudssConfigSet(config, parameter, &value, sizeof value), ("cudssConfigSet " + name).c_str());
}

/// False when `key` is none of cuDSS' own.
bool set_parameter(cudssConfig_t config, const std::string& key, const std::string& value) {
    for (const IntegerKey& k : integer_keys())
        if (key == k.name) return set(config, k.parameter, integer_value(k, value), key), true;
    for (const NumberKey& k : number_keys)
        if (key == k.name) return set(config, k.parameter, parsed<double>(key, value), key), true;
    return false;
}

}  // namespace

CudssSettings apply_cudss_settings(const std::string& text, int threads, cudssConfig_t config) {
    CudssSettings settings;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ':');) {
        if (word == best) word = all_threads;
        const std::size_t sign = std::min(word.find('='), word.size());
        const std::string key = word.substr(0, sign);
        const std::string value = word.substr(std::min(sign + 1, word.size()));
        if (key == "threads") {
            const int asked = parsed<int>(key, value);
            settings.host_threads = asked > 0 ? asked : threads;
        } else if (key == "refactor") {
            settings.refactor = parsed<int>(key, value) != 0;
        } else if (!set_parameter(config, key, value)) {
            throw std::runtime_error("cuDSS has no setting '" + key + "' here");
        }
    }
    if (settings.host_threads > 0) set(config, CUDSS_CONFIG_HOST_NTHREADS, settings.host_threads, "threads");
    return settings;
}

}  // namespace frond::bench
