// SPDX-License-Identifier: BSD-3-Clause
// A on rank 0, from row blocks, and as the interface of one process takes it.
#pragma once

#include <limits>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {

/// The canonical matrix by rows: of the symmetric kinds the lower triangle.
template <class T>
struct WholeMatrix {
    std::vector<count_t> begin;  // [order + 1]
    std::vector<index_t> column;
    std::vector<T> value;
};

/// The number of entries on all ranks; for the symmetric kinds, of one triangle. Collective.
count_t canonical_entries(Communicator& ranks, const BlockPattern& pattern);

/// Bytes that rank 0 needs for A in addition to what it has: this form, the canonical one that is made of it, and what
/// make_sparse and ValueList take meanwhile.
template <class T>
count_t whole_matrix_bytes(Communicator& ranks, const BlockPattern& pattern);

/// Collective; the result is on rank 0, on others empty.
template <class T>
WholeMatrix<T> gather_matrix(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value);
/// The values alone.
template <class T>
std::vector<T> gather_values(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value);

/// use(view) of the whole matrix by rows, with indices as wide as they must be.
template <class T, class Use>
void with_view(const WholeMatrix<T>& a, Symmetry symmetry, Use use) {
    const auto view_of = [&]<class I>(const std::vector<I>& begin, const std::vector<I>& column) {
        CompressedView<T, I> view;
        view.rows = view.cols = static_cast<I>(begin.size() - 1);
        view.begin = begin.data();
        view.index = column.data();
        view.value = a.value.data();
        view.layout = Layout::rows;
        view.symmetry = symmetry;
        view.stored = symmetry == Symmetry::general ? Triangle::both : Triangle::lower;
        use(view);
    };
    if (a.begin.back() <= std::numeric_limits<index_t>::max())
        view_of(std::vector<index_t>(a.begin.begin(), a.begin.end()), a.column);
    else
        view_of(a.begin, std::vector<count_t>(a.column.begin(), a.column.end()));
}

}  // namespace frond::detail
