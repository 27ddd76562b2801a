// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/halo.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "ranks/collectively.hpp"

namespace frond::detail {

Halo::Halo(Communicator& ranks, const BlockPattern& pattern) : rows_(pattern.rows()) {
    const index_t first = pattern.first(), end = first + rows_;
    Parcels<index_t> wanted;
    collectively(ranks, [&] {
        std::vector<index_t> outside;
        for (const index_t j : pattern.column)
            if (j < first || j >= end) outside.push_back(j);
        std::sort(outside.begin(), outside.end());
        outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
        outside_ = static_cast<index_t>(outside.size());
        local_column_.reserve(pattern.column.size());
        const auto place_outside = [&](index_t j) {
            return rows_ + static_cast<index_t>(std::lower_bound(outside.begin(), outside.end(), j) - outside.begin());
        };
        for (const index_t j : pattern.column)
            local_column_.push_back(j >= first && j < end ? j - first : place_outside(j));
        std::vector<count_t> sizes(static_cast<std::size_t>(ranks.size()), 0);
        for (const index_t j : outside) {
            const index_t owner = pattern.cuts.owner(j);
            ++sizes[static_cast<std::size_t>(owner)];
            wanted.data.push_back(j - pattern.cuts.begin(owner));
        }
        wanted.begin = begin_of_sizes(sizes);
    });
    sent_ = exchanged(ranks, wanted);
    received_begin_ = std::move(wanted.begin);
}

template <class T>
LargeVector<T> Halo::extended(Communicator& ranks, DenseView<const T> x) const {
    const auto cols = static_cast<std::size_t>(x.cols), rows = static_cast<std::size_t>(rows_),
               all = static_cast<std::size_t>(extended_rows());
    std::vector<T> out, in;
    LargeVector<T> result;
    collectively(ranks, [&] {
        out.reserve(sent_.data.size() * cols);
        for (const index_t row : sent_.data)
            for (index_t j = 0; j < x.cols; ++j) out.push_back(x.column(j)[row]);
        in.resize(static_cast<std::size_t>(outside_) * cols);
        result.resize(all * cols);
    });
    exchange_parcels<T>(ranks, out, sent_.begin, in, received_begin_, x.cols);
    for (std::size_t j = 0; j < cols; ++j) {
        T* const column = result.data() + j * all;
        std::copy_n(x.column(static_cast<index_t>(j)), rows, column);
        for (std::size_t i = rows; i < all; ++i) column[i] = in[(i - rows) * cols + j];
    }
    return result;
}

#define FROND_INSTANTIATE(T) template LargeVector<T> Halo::extended<T>(Communicator&, DenseView<const T>) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#if !FROND_SCALAR_D
FROND_INSTANTIATE(double)  // scales are double
#endif

}  // namespace frond::detail
