// SPDX-License-Identifier: BSD-3-Clause
#include "row_blocks/row_plan.hpp"

#include <algorithm>
#include <numeric>

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

/// Columns of a block as one list.
template <class T>
std::vector<T> packed_columns(DenseView<const T> from) {
    std::vector<T> packed;
    packed.reserve(static_cast<std::size_t>(from.rows) * static_cast<std::size_t>(from.cols));
    for (index_t j = 0; j < from.cols; ++j) packed.insert(packed.end(), from.column(j), from.column(j) + from.rows);
    return packed;
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

/// use(columns of the whole block that lie one behind the other in a parcel of rank r)
template <class T, class Use>
void for_parcels_of_columns(const RowCuts& cuts, index_t cols, std::vector<T>& packed, Use use) {
    T* next = packed.data();
    for (index_t r = 0; r + 1 < static_cast<index_t>(cuts.first.size()); ++r)
        for (index_t j = 0; j < cols; ++j, next += cuts.rows(r)) use(next, cuts.begin(r), cuts.rows(r), j);
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

RowPlan::RowPlan(Communicator& ranks, const RowCuts& cuts, const RowCuts& callers) {
    collectively(ranks, [&] {
        const index_t here = ranks.rank();
        local_.resize(static_cast<std::size_t>(callers.rows(here)));
        std::iota(local_.begin(), local_.end(), 0);
        local_begin_.assign(1, 0);
        block_.begin.assign(1, 0);
        for (index_t r = 0; r < ranks.size(); ++r) {
            const index_t sent =
                std::min(callers.end(here), cuts.end(r)) - std::max(callers.begin(here), cuts.begin(r));
            local_begin_.push_back(local_begin_.back() + std::max(0, sent));
            const index_t end = std::min(callers.end(r), cuts.end(here));
            for (index_t row = std::max(callers.begin(r), cuts.begin(here)); row < end; ++row)
                block_.data.push_back(row - cuts.begin(here));
            block_.begin.push_back(static_cast<count_t>(block_.data.size()));
        }
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
    std::vector<T> out, in;
    collectively(ranks, [&] {
        out = packed_columns(block);
        if (ranks.rank() == 0) in.resize(static_cast<std::size_t>(cuts.order()) * static_cast<std::size_t>(block.cols));
    });
    exchange_parcels<T>(ranks, out, begin_to_rank_0(ranks, block.rows), in, begin_at_rank_0(ranks, cuts), block.cols);
    if (ranks.rank() != 0) return;
    for_parcels_of_columns(cuts, block.cols, in, [&](const T* from, index_t first, index_t rows, index_t j) {
        std::copy_n(from, rows, whole.column(j) + first);
    });
}

template <class T>
void scatter_rows(Communicator& ranks, const RowCuts& cuts, DenseView<const T> whole, DenseView<T> block) {
    std::vector<T> out, in;
    collectively(ranks, [&] {
        in.resize(static_cast<std::size_t>(block.rows) * static_cast<std::size_t>(block.cols));
        if (ranks.rank() != 0) return;
        out.resize(static_cast<std::size_t>(cuts.order()) * static_cast<std::size_t>(block.cols));
        for_parcels_of_columns(cuts, block.cols, out, [&](T* to, index_t first, index_t rows, index_t j) {
            std::copy_n(whole.column(j) + first, rows, to);
        });
    });
    exchange_parcels<T>(ranks, out, begin_at_rank_0(ranks, cuts), in, begin_to_rank_0(ranks, block.rows), block.cols);
    for (index_t j = 0; j < block.cols; ++j)
        std::copy_n(in.data() + static_cast<count_t>(j) * block.rows, block.rows, block.column(j));
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
