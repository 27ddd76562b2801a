// SPDX-License-Identifier: BSD-3-Clause
// Independent checks of matchings: duals, brute force over permutations, plain augmenting paths.
#pragma once

#include "frond/analysis/steps.hpp"
#include "random_sparse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace frond::test {

/// A pattern with one magnitude an entry.
struct Magnitudes {
    Pattern pattern;
    std::vector<double> magnitude;

    double at(index_t i, index_t j) const {
        for (count_t e = pattern.begin[j]; e < pattern.begin[j + 1]; ++e)
            if (pattern.row[e] == i) return magnitude[e];
        return 0;
    }
};

inline Magnitudes from_entries(index_t n, const EntryTable<double>& table) {
    const SparseMatrix<double> a = from_table(n, table, Symmetry::general);
    Magnitudes m{a.pattern, a.value};
    for (double& v : m.magnitude) v = std::abs(v);
    return m;
}

/// Each entry is there with probability `density`; values spread evenly over 2^-spread..2^spread.
inline Magnitudes random_magnitudes(index_t n, double density, double spread, bool symmetric, std::uint64_t seed) {
    Random random(seed);
    EntryTable<double> table;
    for (index_t j = 0; j < n; ++j)
        for (index_t i = symmetric ? j : 0; i < n; ++i) {
            const double draw = 0.5 * (random.value<double>() + 1);
            const double value = std::exp2(spread * random.value<double>());
            if (draw >= density) continue;
            table[{j, i}] = value;
            if (symmetric) table[{i, j}] = value;
        }
    return from_entries(n, table);
}

/// About `per_column` random entries in each column, for large n.
inline Magnitudes sparse_magnitudes(index_t n, index_t per_column, double spread, bool symmetric, std::uint64_t seed) {
    Random random(seed);
    EntryTable<double> table;
    for (index_t j = 0; j < n; ++j)
        for (index_t k = 0; k < per_column; ++k) {
            const index_t i = random.below(n);
            const double value = std::exp2(spread * random.value<double>());
            table[{j, i}] = value;
            if (symmetric) table[{i, j}] = value;
        }
    return from_entries(n, table);
}

/// What the duals prove, read off the scales in log2. Bounds: rounding of logarithms up to 1074 in
/// magnitude and of sums along paths of at most n edges.
struct DualCheck {
    double worst_above_one = 0;  // max log2 |r a c| over entries
    double worst_off_one = 0;  // max |log2 |r a c|| over matched entries
    double log_product = 0;  // sum of log2 of matched entries
    double dual_bound = 0;  // -sum of log2 of scales: no perfect matching exceeds it
    bool valid = true;  // a matching of nonzero entries, of the rank claimed, finite scales
};

inline bool is_usable_scale(double s) { return std::isfinite(s) && s > 0; }

inline DualCheck check_duals(const Magnitudes& a, const Matching& m) {
    DualCheck check;
    const index_t n = a.pattern.cols;
    std::vector<int> used(static_cast<std::size_t>(n), 0);
    index_t rank = 0;
    for (index_t j = 0; j < n; ++j) {
        const index_t matched = m.row_of_column[j];
        check.valid &= is_usable_scale(m.row_scale[j]) && is_usable_scale(m.column_scale[j]);
        check.dual_bound -= std::log2(m.row_scale[j]) + std::log2(m.column_scale[j]);
        bool found = matched < 0;
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            const index_t i = a.pattern.row[e];
            if (a.magnitude[e] == 0) continue;
            const double own = std::log2(a.magnitude[e]);
            const double scaled = std::log2(m.row_scale[i]) + own + std::log2(m.column_scale[j]);
            check.worst_above_one = std::max(check.worst_above_one, scaled);
            if (i != matched) continue;
            found = true;
            check.worst_off_one = std::max(check.worst_off_one, std::abs(scaled));
            check.log_product += own;
        }
        check.valid &= found;
        if (matched < 0) continue;
        check.valid &= used[matched]++ == 0;
        ++rank;
    }
    check.valid &= rank == m.structural_rank;
    return check;
}

/// Largest sum of log2 over all permutations without a zero; -infinity when there is none.
inline double best_log_product(const Magnitudes& a) {
    std::vector<index_t> row(static_cast<std::size_t>(a.pattern.cols));
    std::iota(row.begin(), row.end(), 0);
    double best = -std::numeric_limits<double>::infinity();
    do {
        double sum = 0;
        for (index_t j = 0; j < a.pattern.cols; ++j) sum += std::log2(a.at(row[j], j));
        best = std::max(best, sum);
    } while (std::next_permutation(row.begin(), row.end()));
    return best;
}

/// Size of a largest matching by plain augmenting paths (Kuhn 1955), zeros left out.
class PlainMatching {
public:
    explicit PlainMatching(const Magnitudes& a) : a_(a), column_of_row_(static_cast<std::size_t>(a.pattern.rows), -1) {}

    index_t size() {
        index_t matched = 0;
        for (index_t j = 0; j < a_.pattern.cols; ++j) {
            seen_.assign(column_of_row_.size(), false);
            if (augment(j)) ++matched;
        }
        return matched;
    }

private:
    bool augment(index_t j) {
        for (count_t e = a_.pattern.begin[j]; e < a_.pattern.begin[j + 1]; ++e) {
            const index_t i = a_.pattern.row[e];
            if (a_.magnitude[e] == 0 || seen_[i]) continue;
            seen_[i] = true;
            if (column_of_row_[i] >= 0 && !augment(column_of_row_[i])) continue;
            column_of_row_[i] = j;
            return true;
        }
        return false;
    }

    const Magnitudes& a_;
    std::vector<index_t> column_of_row_;
    std::vector<bool> seen_;
};

}  // namespace frond::test
