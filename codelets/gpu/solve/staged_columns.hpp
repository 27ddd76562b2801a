// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstring>

#include "frond/cpu/dense_view.hpp"
#include "solve/staged_copies.hpp"

namespace frond::gpu {

/// visit(place, bytes) for what bytes [begin, begin + bytes) of the columns of v, one behind the other, are in v.
template <class T, class Visit>
void for_columns(DenseView<T> v, count_t begin, count_t bytes, Visit visit) {
    constexpr count_t size = static_cast<count_t>(sizeof(T));
    for (count_t e = begin / size, end = (begin + bytes) / size; e < end;) {
        const count_t column = e / v.rows, row = e % v.rows, count = std::min(end - e, v.rows - row);
        visit(v.data + row + column * v.ld, static_cast<std::size_t>(count * size));
        e += count;
    }
}

template <class T>
count_t bytes_of_columns(DenseView<T> v) {
    return static_cast<count_t>(v.rows) * v.cols * static_cast<count_t>(sizeof(T));
}

/// device [rows, cols], leading dimension rows := v. See StagedCopies::send.
template <class T>
void send_columns(StagedCopies& staged, Stream stream, DenseView<const T> v, void* device,
                  const ParallelFor& parallel_for) {
    staged.send(stream, device, bytes_of_columns(v), parallel_for,
                [v](count_t begin, count_t bytes, unsigned char* pinned) {
                    for_columns(v, begin, bytes, [&pinned](const T* rows, std::size_t size) {
                        std::memcpy(pinned, rows, size);
                        pinned += size;
                    });
                });
}

/// v := device [rows, cols], leading dimension rows. See StagedCopies::fetch.
template <class T>
void fetch_columns(StagedCopies& staged, Stream stream, const void* device, DenseView<T> v,
                   const ParallelFor& parallel_for) {
    staged.fetch(stream, device, bytes_of_columns(v), parallel_for,
                 [v](count_t begin, count_t bytes, const unsigned char* pinned) {
                     for_columns(v, begin, bytes, [&pinned](T* rows, std::size_t size) {
                         std::memcpy(rows, pinned, size);
                         pinned += size;
                     });
                 });
}

}  // namespace frond::gpu
