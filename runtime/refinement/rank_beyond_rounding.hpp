// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "system/largest_magnitude.hpp"

#include "frond/base/types.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace frond::detail {

/// How many pivots there are beyond rounding, how small the smallest is, and how large what is left of the others.
struct RankSizes {
    index_t rank = 0;
    double smallest_pivot = std::numeric_limits<double>::infinity(), largest_left = 0;
};

/// The rank of the small matrix S [rows, columns] (by rows), of whose entries limit[i, j] may be
/// rounding: pivots are those that stand out most from it, and every step adds up what it may be
/// afterwards.
template <class T>
class RankBeyondRounding {
public:
    RankBeyondRounding(index_t rows, index_t columns, std::vector<T> s, std::vector<double> limit)
        : rows_(rows),
          columns_(columns),
          s_(std::move(s)),
          limit_(std::move(limit)),
          row_used_(static_cast<std::size_t>(rows), false),
          column_used_(static_cast<std::size_t>(columns), false) {}

    RankSizes sizes() {
        while (eliminate()) ++found_.rank;
        for_each_left([&](index_t i, index_t j) {
            found_.largest_left = std::max(found_.largest_left, magnitude(s_[at(i, j)]));
        });
        return found_;
    }

private:
    std::size_t at(index_t i, index_t j) const {
        return static_cast<std::size_t>(i) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(j);
    }

    template <class Visit>
    void for_each_left(Visit visit) {
        for (index_t i = 0; i < rows_; ++i)
            for (index_t j = 0; j < columns_; ++j)
                if (!row_used_[static_cast<std::size_t>(i)] && !column_used_[static_cast<std::size_t>(j)]) visit(i, j);
    }

    /// False when no entry stands out.
    bool eliminate() {
        index_t p = -1, q = -1;
        double most = 1;
        for_each_left([&](index_t i, index_t j) {
            const double size = magnitude(s_[at(i, j)]), limit = limit_[at(i, j)];
            if (!(size > most * limit)) return;
            most = limit > 0 ? size / limit : std::numeric_limits<double>::infinity();
            p = i;
            q = j;
        });
        if (p < 0) return false;
        row_used_[static_cast<std::size_t>(p)] = column_used_[static_cast<std::size_t>(q)] = true;
        const T pivot = s_[at(p, q)];
        const double pivot_limit = limit_[at(p, q)];
        found_.smallest_pivot = std::min(found_.smallest_pivot, magnitude(pivot));
        for_each_left([&](index_t i, index_t j) {
            const T left = s_[at(i, q)] / pivot, above = s_[at(p, j)] / pivot;
            const double l = magnitude(left), u = magnitude(above);
            s_[at(i, j)] -= left * s_[at(p, j)];
            limit_[at(i, j)] += l * limit_[at(p, j)] + u * limit_[at(i, q)] + l * u * pivot_limit;
        });
        return true;
    }

    index_t rows_, columns_;
    std::vector<T> s_;
    std::vector<double> limit_;
    std::vector<bool> row_used_, column_used_;
    RankSizes found_;
};

template <class T>
RankSizes rank_beyond_rounding(index_t rows, index_t columns, std::vector<T> s, std::vector<double> limit) {
    return RankBeyondRounding<T>(rows, columns, std::move(s), std::move(limit)).sizes();
}

}  // namespace frond::detail
