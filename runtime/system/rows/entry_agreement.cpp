// SPDX-License-Identifier: BSD-3-Clause
// Both triangles of a matrix whose symmetry was declared: what the ranks gave must agree.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "ranks/collectively.hpp"
#include "system/rows/entry_plan.hpp"

namespace frond::detail {
namespace {

std::string place_text(index_t row, index_t column) {
    return "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
}

}  // namespace

/// The lower triangle counts, as in make_sparse; the upper one must agree with it.
template <class T>
void EntryPlan<T>::agree(Communicator& ranks, LargeVector<T>& given, const LargeVector<T>& mirrored) const {
    const std::vector<double> largest = largest_of_lines(ranks, given);
    const auto check = [&] {
        check_pairs(given, mirrored, largest);
        const index_t first = pattern_->first();
        for (index_t i = 0; i < pattern_->rows(); ++i)
            for (count_t e = pattern_->begin[static_cast<std::size_t>(i)];
                 e < pattern_->begin[static_cast<std::size_t>(i) + 1]; ++e)
                if (pattern_->column[static_cast<std::size_t>(e)] > first + i)
                    given[static_cast<std::size_t>(e)] = mirrored[static_cast<std::size_t>(e)];
        check_diagonal(given);
    };
    collectively(ranks, check, NameRank::no);
}

/// s_i, the largest entry of row and column i of A.
template <class T>
std::vector<double> EntryPlan<T>::largest_of_lines(Communicator& ranks, const LargeVector<T>& sum) const {
    std::vector<count_t> bits;  // of numbers >= 0, which order as integers do
    collectively(ranks, [&] {
        bits.assign(static_cast<std::size_t>(pattern_->cuts.order()), 0);
        for (index_t i = 0; i < pattern_->rows(); ++i)
            for (count_t e = pattern_->begin[static_cast<std::size_t>(i)];
                 e < pattern_->begin[static_cast<std::size_t>(i) + 1]; ++e) {
                const auto size =
                    std::bit_cast<count_t>(static_cast<double>(std::abs(sum[static_cast<std::size_t>(e)])));
                for (const index_t line : {pattern_->first() + i, pattern_->column[static_cast<std::size_t>(e)]}) {
                    count_t& largest = bits[static_cast<std::size_t>(line)];
                    largest = std::max(largest, size);
                }
            }
    });
    ranks.all_reduce_max(bits);
    std::vector<double> largest;
    collectively(ranks, [&] {
        for (const count_t b : bits) largest.push_back(std::bit_cast<double>(b));
    });
    return largest;
}

template <class T>
void EntryPlan<T>::check_pairs(const LargeVector<T>& given, const LargeVector<T>& mirrored,
                               const std::vector<double>& largest) const {
    const double share = 64 * static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
    for (index_t i = 0; i < pattern_->rows(); ++i)
        for (count_t e = pattern_->begin[static_cast<std::size_t>(i)];
             e < pattern_->begin[static_cast<std::size_t>(i) + 1]; ++e) {
            const index_t row = pattern_->first() + i, column = pattern_->column[static_cast<std::size_t>(e)];
            if (row == column) continue;
            const T x = given[static_cast<std::size_t>(e)], y = mirrored[static_cast<std::size_t>(e)];
            const double lines = std::sqrt(largest[static_cast<std::size_t>(row)]) *
                                 std::sqrt(largest[static_cast<std::size_t>(column)]);
            const double size = std::max({static_cast<double>(std::abs(x)), static_cast<double>(std::abs(y)), lines});
            if (!(static_cast<double>(std::abs(x - y)) <= share * size))
                throw InvalidMatrix("entries " + place_text(row, column) + " and " + place_text(column, row) +
                                    ", summed over the ranks, do not agree in a matrix whose symmetry was declared; "
                                    "correct them or declare it general");
        }
}

template <class T>
void EntryPlan<T>::check_diagonal(const LargeVector<T>& value) const {
    for (index_t i = 0; i < pattern_->rows(); ++i)
        for (count_t e = pattern_->begin[static_cast<std::size_t>(i)];
             e < pattern_->begin[static_cast<std::size_t>(i) + 1]; ++e) {
            const index_t row = pattern_->first() + i;
            if (pattern_->column[static_cast<std::size_t>(e)] != row) continue;
            const T d = value[static_cast<std::size_t>(e)];
            const bool real_wanted = declared_ == Symmetry::hermitian && d != conjugate(d);
            const bool zero_wanted = declared_ == Symmetry::skew_symmetric && d != T(0);
            if (real_wanted || zero_wanted)
                throw InvalidMatrix("diagonal entry " + place_text(row, row) + " must be " +
                                    (real_wanted ? "real in a Hermitian" : "zero in a skew-symmetric") +
                                    " matrix; correct it or declare the matrix general");
        }
}

#define FROND_INSTANTIATE(T) \
    template void EntryPlan<T>::agree(Communicator&, LargeVector<T>&, const LargeVector<T>&) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
