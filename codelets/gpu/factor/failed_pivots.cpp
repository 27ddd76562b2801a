// SPDX-License-Identifier: BSD-3-Clause
#include "factor/failed_pivots.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

/// Entry 2 k + 1 of the pivots is not 0 where k and k + 1 are one pivot.
template <class T>
void join_two_by_two(const T* pivots, std::vector<PivotMark>& marks) {
    for (std::size_t k = 0; k + 1 < marks.size(); ++k)
        if (pivots[2 * k + 1] != T(0)) marks[k].how = marks[k + 1].how = std::max(marks[k].how, marks[k + 1].how);
}

/// Contribution rows are distinguished from those of later pivots of the front, which may have been exchanged since.
/// -1: there is none, or it is in a row of a branch, whose rows are numbered within fronts alone.
index_t position_of_partner(const AssemblyTree& tree, const Front& front, const PivotMark& mark) {
    if (mark.partner == 0) return -1;
    const auto local = static_cast<index_t>(mark.partner & 0xffffffffU);
    if (local < front.npiv) return front.first_column + local;
    return tree.rows.empty() ? -1 : tree.rows[at(front.rows_begin + local - front.npiv)];
}

}  // namespace

/// L U brings rows to the columns whose pivots they are, the symmetric kinds move both.
template <class T>
std::vector<FailedPivot> failed_pivots(const Analysis& analysis, std::vector<PivotMark> marks, const index_t* perm,
                                       const T* pivots) {
    std::vector<FailedPivot> result;
    if (marks.empty()) return result;
    const bool rows_alone_move = analysis.factorization == Factorization::lu;
    if (!rows_alone_move) join_two_by_two(pivots, marks);
    for (const Front& front : analysis.tree.fronts)
        for (index_t k = front.first_column; k < front.first_column + front.npiv; ++k) {
            const PivotMark& mark = marks[at(k)];
            if (mark.how == 0) continue;
            const index_t moved = front.first_column + perm[k];
            result.push_back({moved, rows_alone_move ? k : moved, position_of_partner(analysis.tree, front, mark),
                              mark.how == PivotMark::excluded});
        }
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    return result;
}

#define FROND_INSTANTIATE(T)                                                                                    \
    template std::vector<FailedPivot> failed_pivots<T>(const Analysis&, std::vector<PivotMark>, const index_t*, \
                                                       const T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
