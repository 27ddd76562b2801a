// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "matching_oracle.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <variant>

using namespace frond;
using namespace frond::test;

namespace {

/// Both triangles, as magnitudes.
template <class T>
Magnitudes magnitudes_of_all(const SparseMatrix<T>& a) {
    EntryTable<double> table;
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            const double value = std::abs(a.value[e]);
            table[{j, a.pattern.row[e]}] = value;
            if (a.symmetry != Symmetry::general) table[{a.pattern.row[e], j}] = value;
        }
    return from_entries(a.cols(), table);
}

bool is_cut(const Matching& m) {
    const auto at_limit = [](double s) { return std::abs(std::log2(s)) >= 1000; };
    return std::any_of(m.row_scale.begin(), m.row_scale.end(), at_limit) ||
           std::any_of(m.column_scale.begin(), m.column_scale.end(), at_limit);
}

/// Rounding of sums along paths of 10^4 edges of logarithms of 1000.
constexpr double rounding_of_paths = 1e4 * 1e3 * epsilon<double>() / 2;

/// Scales prove the matching optimal.
void check_matching(const Magnitudes& a, const Matching& m) {
    const DualCheck check = check_duals(a, m);
    CHECK(check.valid);
    CHECK(m.structural_rank == PlainMatching(a).size());
    if (is_cut(m)) return;
    CHECK(check.worst_above_one <= rounding_of_paths);
    CHECK(check.worst_off_one <= rounding_of_paths);
}

template <class T>
void check_matrix(const SparseMatrix<T>& a) {
    const Magnitudes all = magnitudes_of_all(a);
    check_matching(all, maximum_product_matching(all.pattern, all.magnitude));
    if (a.symmetry == Symmetry::general) return;
    const Matching m = symmetric_maximum_product_matching(all.pattern, all.magnitude);
    check_matching(all, m);
    const std::vector<index_t> partner = symmetric_pairs(all.pattern, all.magnitude, m);
    for (index_t i = 0; i < a.cols(); ++i) CHECK(partner[partner[i]] == i);
}

}  // namespace

TEST_CASE("real matrices, those in the folder FROND_MATRICES included") {
    std::vector<std::filesystem::path> folders = {FROND_TEST_DATA};
    const char* more = std::getenv("FROND_MATRICES");
    if (more != nullptr && *more != '\0') folders.emplace_back(more);
    constexpr std::uintmax_t largest_file_bytes = 100000;
    int checked = 0;
    for (const auto& folder : folders)
        for (const auto& file : std::filesystem::directory_iterator(folder)) {
            const std::string name = file.path().filename().string();
            const bool is_matrix = name.ends_with(".mtx") || name.ends_with(".mtx.gz");
            if (!is_matrix || file.file_size() > largest_file_bytes) continue;
            CAPTURE(name);
            std::visit(
                [&]<class T>(const SparseMatrix<T>& a) {
                    if constexpr (is_built<T>()) {
                        if (a.rows() != a.cols()) return;
                        check_matrix(a);
                        ++checked;
                    }
                },
                read_matrix(file.path().string()));
        }
    CHECK(checked >= 5);
}
