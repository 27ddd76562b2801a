// SPDX-License-Identifier: BSD-3-Clause
#include "settings.hpp"

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace frond::bench {
namespace {

struct Key {
    const char* name;
    int number;  // of iparm, counted from 1
};

constexpr std::array keys{
    Key{"ordering", 2},  // 0 minimum degree, 2 METIS, 3 the same on threads
    Key{"refine", 8},  // steps at most; 0: 2, and only where pivots were perturbed
    Key{"perturbation", 10},  // of pivots below 10^-VALUE times the norm
    Key{"scaling", 11},  // 1: by the matching
    Key{"matching", 13},  // 1: large entries on, or near, the diagonal
    Key{"pivoting", 21},  // symmetric: 0 1x1, 1 Bunch and Kaufman, 2 and 3 the same without perturbation first
    Key{"factorization", 24},  // 1, 10: two-level schedules
    Key{"solve", 25}};  // 1: on one thread, 2: on all

MKL_INT parsed(const std::string& word, const std::string& text) {
    MKL_INT value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end)
        throw std::runtime_error("PARDISO: " + word + ": its value is no whole number");
    return value;
}

std::size_t place_of(const std::string& word, const std::string& key) {
    for (const Key& k : keys)
        if (key == k.name) return static_cast<std::size_t>(k.number - 1);
    const std::string prefix = "iparm";
    if (key.rfind(prefix, 0) == 0) {
        const MKL_INT number = parsed(word, key.substr(prefix.size()));
        if (number >= 1 && number <= 64) return static_cast<std::size_t>(number - 1);
    }
    throw std::runtime_error("PARDISO has no setting '" + key + "' here");
}

}  // namespace

void apply_pardiso_settings(const std::string& text, PardisoParameters& iparm) {
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ':');) {
        const std::size_t sign = std::min(word.find('='), word.size());
        const std::string value = word.substr(std::min(sign + 1, word.size()));
        iparm[place_of(word, word.substr(0, sign))] = parsed(word, value);
    }
}

std::string pardiso_settings_text(const PardisoParameters& iparm) {
    std::string text;
    for (const Key& k : keys)
        text += (text.empty() ? "" : " ") + std::string(k.name) + "=" +
                std::to_string(iparm[static_cast<std::size_t>(k.number - 1)]);
    return text;
}

}  // namespace frond::bench
