// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/row_plan.hpp"

#include <algorithm>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "ranks/collectively.hpp"

namespace frond::detail {
namespace {

/// The rows of the list, one after the other, each with all of its columns.
template <class T>
std::vector<T> packed_rows(DenseView<const T> from, const std::vector<index_t>& rows) {
    std::vector<T> packed;
    packed.reserve(rows.size() * static_cast<std::size_t>(from.cols));
    for (const index_t row : rows)
        for (index_t j = 0; j < from.cols; ++j) packed.push_back(from.column(j)[row]);
    return packed;
}

template <class T>
void unpack_rows(const std::vector<T>& packed, const std::vector<index_t>& rows, DenseView<T> to) {
    const T* next = packed.data();
    for (const index_t row : rows)
        for (index_t j = 0; j < to.cols; ++j) to.column(j)[row] = *next++;
}

/// begin of parcels between rank 0 and all others: of this rank for rank 0, or from all of them on rank 0.
std::vector<count_t> begin_to_rank_0(const Communicator& ranks, count_t size) {
    std::vector<count_t> begin(static_cast<std::size_t>(ranks.size()) + 1, size);
    begin[0] = 0;
    return begin;
}

std::vector<count_t> begin_at_rank_0(const Communicator& ranks, const RowCuts& cuts) {
    std::vector<count_t> begin(static_cast<std::size_t>(ranks.size()) + 1, 0);
    if (ranks.rank() == 0) std::copy(cuts.first.begin(), cuts.first.end(), begin.begin());
    return begin;
}

/// use(rows of a column that lie one behind the other in a parcel, the first of them, their number, the column)
template <class T, class Use>
void for_parcels_of_columns(const std::vector<count_t>& begin, index_t cols, T* packed, Use use) {
    for (std::size_t r = 0; r + 1 < begin.size(); ++r)
        for (index_t j = 0; j < cols; ++j, packed += begin[r + 1] - begin[r])
            use(packed, begin[r], begin[r + 1] - begin[r], j);
}

/// Rows one behind the other, in the order of ranks on both sides. A single column is sent from where it lies, and comes to
/// its position. Collective.
template <class T>
void exchange_consecutive(Communicator& ranks, DenseView<const T> from, const std::vector<count_t>& from_begin,
                          DenseView<T> to, const std::vector<count_t>& to_begin) {
    const auto size = [](const std::vector<count_t>& begin) { return static_cast<std::size_t>(begin.back()); };
    if (from.cols == 1) {
        const std::span<const T> out(from.column(0), size(from_begin));
        return exchange_parcels<T>(ranks, out, from_begin, {to.column(0), size(to_begin)}, to_begin);
    }
    const auto columns = static_cast<std::size_t>(from.cols);
    std::vector<T> out, in;
    collectively(ranks, [&] {
        out.resize(size(from_begin) * columns);
        in.resize(size(to_begin) * columns);
        for_parcels_of_columns(from_begin, from.cols, out.data(),
                               [&](T* parcel, count_t first, count_t rows, index_t j) {
                                   std::copy_n(from.column(j) + first, rows, parcel);
                               });
    });
    exchange_parcels<T>(ranks, out, from_begin, in, to_begin, from.cols);
    for_parcels_of_columns(to_begin, from.cols, in.data(),
                           [&](const T* parcel, count_t first, count_t rows, index_t j) {
                               std::copy_n(parcel, rows, to.column(j) + first);
                           });
}

}  // namespace

RowPlan::RowPlan(Communicator& ranks, const RowCuts& cuts, const std::vector<index_t>& rows, RowsGiven given,
                 const std::string& name) {
    Parcels<index_t> numbers;
    collectively(ranks, [&] {
        std::vector<count_t> sizes(static_cast<std::size_t>(ranks.size()), 0);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i] < 0 || rows[i] >= cuts.order())
                throw InvalidArgument("row " + std::to_string(i) + " of " + name + " has the number " +
                                      std::to_string(rows[i]) + ", but the matrix has order " +
                                      std::to_string(cuts.order()) + "; rows are counted from 0");
            ++sizes[static_cast<std::size_t>(cuts.owner(rows[i]))];
        }
        local_begin_ = begin_of_sizes(sizes);
        std::vector<count_t> next(local_begin_.begin(), local_begin_.end() - 1);
        local_.resize(rows.size());
        numbers.data.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const index_t owner = cuts.owner(rows[i]);
            const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(owner)]++);
            local_[at] = static_cast<index_t>(i);
            numbers.data[at] = rows[i] - cuts.begin(owner);
        }
        numbers.begin = local_begin_;
    });
    block_ = exchanged(ranks, numbers);
    if (given == RowsGiven::once) check_once(ranks, cuts, name);
}

RowPlan::RowPlan(Communicator& ranks, const RowCuts& cuts, const RowCuts& callers) : is_consecutive_(true) {
    collectively(ranks, [&] {
        const index_t here = ranks.rank();
        const auto common = [](const RowCuts& a, index_t of_a, const RowCuts& b, index_t of_b) -> count_t {
            return std::max(0, std::min(a.end(of_a), b.end(of_b)) - std::max(a.begin(of_a), b.begin(of_b)));
        };
        std::vector<count_t> out, in;
        for (index_t r = 0; r < ranks.size(); ++r) {
            out.push_back(common(callers, here, cuts, r));
            in.push_back(common(callers, r, cuts, here));
        }
        local_begin_ = begin_of_sizes(out);
        block_.begin = begin_of_sizes(in);
    });
}

void RowPlan::check_once(Communicator& ranks, const RowCuts& cuts, const std::string& name) const {
    const auto check = [&] {
        const index_t first = cuts.begin(ranks.rank());
        std::vector<index_t> giver(static_cast<std::size_t>(cuts.rows(ranks.rank())), -1);
        for (index_t r = 0; r < ranks.size(); ++r)
            for (const index_t row : block_.of(r)) {
                index_t& of_row = giver[static_cast<std::size_t>(row)];
                if (of_row >= 0)
                    throw InvalidArgument("row " + std::to_string(first + row) + " of " + name + " is given by rank " +
                                          std::to_string(of_row) + " and by rank " + std::to_string(r) +
                                          " (rows are counted from 0); give each row once");
                of_row = r;
            }
        for (std::size_t row = 0; row < giver.size(); ++row)
            if (giver[row] < 0)
                throw InvalidArgument("row " + std::to_string(first + static_cast<index_t>(row)) + " of " + name +
                                      " is given by no rank (rows are counted from 0); give each row once");
    };
    collectively(ranks, check, NameRank::no);
}

template <class T>
void RowPlan::to_blocks(Communicator& ranks, DenseView<const T> local, DenseView<T> block) const {
    if (is_consecutive_) return exchange_consecutive<T>(ranks, local, local_begin_, block, block_.begin);
    std::vector<T> out, in;
    collectively(ranks, [&] {
        out = packed_rows(local, local_);
        in.resize(block_.data.size() * static_cast<std::size_t>(block.cols));
    });
    exchange_parcels<T>(ranks, out, local_begin_, in, block_.begin, block.cols);
    unpack_rows(in, block_.data, block);
}

template <class T>
void RowPlan::from_blocks(Communicator& ranks, DenseView<const T> block, DenseView<T> local) const {
    if (is_consecutive_) return exchange_consecutive<T>(ranks, block, block_.begin, local, local_begin_);
    std::vector<T> out, in;
    collectively(ranks, [&] {
        out = packed_rows(block, block_.data);
        in.resize(local_.size() * static_cast<std::size_t>(block.cols));
    });
    exchange_parcels<T>(ranks, out, block_.begin, in, local_begin_, block.cols);
    unpack_rows(in, local_, local);
}

template <class T>
void gather_rows(Communicator& ranks, const RowCuts& cuts, DenseView<const T> block, DenseView<T> whole) {
    const DenseView<T> to{whole.data, whole.rows, block.cols, whole.ld};
    exchange_consecutive<T>(ranks, block, begin_to_rank_0(ranks, block.rows), to, begin_at_rank_0(ranks, cuts));
}

template <class T>
void scatter_rows(Communicator& ranks, const RowCuts& cuts, DenseView<const T> whole, DenseView<T> block) {
    const DenseView<const T> from{whole.data, whole.rows, block.cols, whole.ld};
    exchange_consecutive<T>(ranks, from, begin_at_rank_0(ranks, cuts), block, begin_to_rank_0(ranks, block.rows));
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void RowPlan::to_blocks<T>(Communicator&, DenseView<const T>, DenseView<T>) const;    \
    template void RowPlan::from_blocks<T>(Communicator&, DenseView<const T>, DenseView<T>) const;  \
    template void gather_rows<T>(Communicator&, const RowCuts&, DenseView<const T>, DenseView<T>); \
    template void scatter_rows<T>(Communicator&, const RowCuts&, DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
// Magnitudes of complex numbers, where their type is no scalar of the build.
#if FROND_SCALAR_C && !FROND_SCALAR_S
FROND_INSTANTIATE(float)
#endif
#if FROND_SCALAR_Z && !FROND_SCALAR_D
FROND_INSTANTIATE(double)
#endif

}  // namespace frond::detail
