// SPDX-License-Identifier: BSD-3-Clause
// Real matrices that several ranks factor and solve together: every bit of X is that of one rank. The files of tests/data;
// of the folder that FROND_MATRICES names some, or all of at most FROND_RANK_ENTRIES entries.
#include "dealt_system.hpp"
#include "forced_mapping.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "same_report.hpp"
#include "shared_always.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

using namespace frond;
using namespace frond::test;

namespace {

namespace fs = std::filesystem;

/// Matrices of every kind: definite, indefinite, saddle points, singular, general, complex; with columns that fail on
/// their way up.
constexpr const char* chosen[] = {"bcsstk13.mtx.gz",         "bcsstk28.mtx.gz",     "c-29.mtx.gz",
                                  "aug2dc.mtx.gz",           "cont-101_kkt.mtx.gz", "fidapm08.mtx.gz",
                                  "memplus.mtx.gz",          "rajat01.mtx.gz",      "add32.mtx.gz",
                                  "cryg2500.mtx.gz",         "dw8192.mtx.gz",       "stcqp1_kkt.mtx.gz",
                                  "ncvxqp1.mtx.gz",          "hypre_ams_A.mtx.gz",  "lp_ken_11_aug.mtx.gz",
                                  "concrete_complex.mtx.gz", "4elt.mtx.gz",         "lp_dfl001_aug.mtx.gz",
                                  "case6515rte_ybus.mtx.gz", "aft01.mtx.gz"};

std::vector<fs::path> files_of(const char* folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_regular_file() && (name.ends_with(".mtx") || name.ends_with(".mtx.gz"))) files.push_back(entry);
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<fs::path> files() {
    std::vector<fs::path> all = files_of(FROND_TEST_DATA);
    const char* const folder = std::getenv("FROND_MATRICES");
    if (folder == nullptr || *folder == '\0') return all;
    const bool every = std::getenv("FROND_RANK_ENTRIES") != nullptr;
    for (const fs::path& file : every ? files_of(folder) : std::vector<fs::path>()) all.push_back(file);
    for (const char* name : chosen)
        if (!every && fs::exists(fs::path(folder) / name)) all.push_back(fs::path(folder) / name);
    return all;
}

count_t most_entries() {
    const char* const given = std::getenv("FROND_RANK_ENTRIES");
    return given != nullptr ? std::atoll(given) : 1000000;
}

template <class T>
struct Found {
    std::vector<T> x;
    FactorReport factor;
    index_t busy = 0;
};

template <class T>
Found<T> solved(const SomeRanks& ranks, const SparseMatrix<T>& a) {
    AnalysisOptions options;
    options.deterministic = true;
    Solver<T> solver(ranks.session(), options);
    // A little tree is cut as if it were a large one.
    constexpr index_t little = 1000;
    if (a.rows() <= little)
        solver.use(remapped(*analyze(a, options).analysis, {"tiles above subtrees", 16, a.rows() / 8}));
    Found<T> found;
    found.factor = solver.factor(dealt(a, ranks).view());
    for (const RankReport& part : solver.rank_reports()) found.busy += part.factor_bytes > 0 ? 1 : 0;
    if (found.factor.status == FactorStatus::not_positive_definite) return found;
    std::vector<T> b = simple_rhs(a, 2);
    found.x.assign(b.size(), T(0));
    static_cast<void>(
        solver.solve(whole_on<const T>(ranks, 0, b, a.rows(), 2), whole_on<T>(ranks, 0, found.x, a.rows(), 2)));
    return found;
}

template <class T>
bool same_bits(const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

/// Returns the most ranks that had a part.
template <class T>
index_t check_bits(const std::string& name, const SparseMatrix<T>& a) {
    index_t most_busy = 0;
    if (a.rows() != a.cols() || a.entries() > most_entries()) return most_busy;
    std::optional<Found<T>> alone;
    on_some_ranks([&](const SomeRanks& ranks) {
        const Found<T> found = solved(ranks, a);
        most_busy = std::max(most_busy, found.busy);
        if (ranks.rank() > 0) return;
        if (!alone) alone = found;
        CAPTURE(name);
        CHECK(same_bits(found.x, alone->x));
        CHECK(found.factor.pivots.delayed == alone->factor.pivots.delayed);
        CHECK(found.factor.pivots.small_columns == alone->factor.pivots.small_columns);
        check_same_inertia(found.factor, alone->factor);
        if (std::getenv("FROND_RANK_ENTRIES") != nullptr)
            MESSAGE(name, " n ", a.rows(), " ranks ", ranks.size(), " busy ", found.busy, " delayed ",
                    found.factor.pivots.delayed);
    });
    return most_busy;
}

}  // namespace

TEST_CASE("matrices of files have the solutions of one rank") {
    const SharedAlways shared;
    index_t most_busy = 0;
    const auto check = [&](const std::string& name, const auto& a) {
        most_busy = std::max(most_busy, check_bits(name, a));
    };
    for (const fs::path& file : files()) {
        const std::string name = file.filename().string();
        std::visit(
            [&]<class T>(const SparseMatrix<T>& a) {
                if constexpr (std::is_same_v<T, double> && FROND_SCALAR_D) check(name, a);
#if FROND_SCALAR_Z
                if constexpr (std::is_same_v<T, std::complex<double>>) check(name, a);
#endif
            },
            read_matrix(file.string()));
    }
    CHECK(most_busy >= std::min(2, world_size()));
}
