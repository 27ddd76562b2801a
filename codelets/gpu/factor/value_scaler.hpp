// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "device_memory.hpp"
#include "frond/analysis/analysis.hpp"
#include "kernels/level_batch/scale_values.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// Makes the values of Dr A Dc, in the order of the analysis' entry map, from those of A, on the device.
template <class T>
class ValueScaler {
public:
    /// The size of its memory on the device, before it is made.
    static count_t bytes(const Analysis& analysis) {
        const auto scaled = static_cast<count_t>(analysis.entry_map.source.size());
        constexpr count_t of_source = sizeof(count_t) + 2 * sizeof(index_t);
        return analysis.entries * static_cast<count_t>(sizeof(T)) + scaled * of_source +
               2 * static_cast<count_t>(analysis.order) * static_cast<count_t>(sizeof(double));
    }

    ValueScaler(unsigned node, Stream stream, const Analysis& analysis);

    /// scaled := those of `given` [entries of the matrix], of a matrix with this pattern, in the device's memory;
    /// asynchronous. The largest one is at least that of entries elsewhere.
    void scale(const T* given, const Pattern& pattern, const Scaling& scaling, double largest_elsewhere, T* scaled);
    /// The largest entry of the last scaling, as bits in the device's memory, on its way to largest().
    const unsigned long long* largest_bits() const noexcept { return largest_.data(); }
    /// Their largest magnitude, which is not finite where one is not, once the stream is done.
    double largest() const noexcept;

private:
    void send_places(const Pattern& pattern);
    void send_scaling(const Scaling& scaling);

    const Analysis& analysis_;
    unsigned node_;
    Stream stream_;
    PinnedMemory<unsigned long long> host_largest_;
    DeviceMemory<unsigned long long> largest_;
    DeviceMemory<count_t> source_;
    // These are there from the first scaled matrix on.
    DeviceMemory<index_t> row_, column_;
    DeviceMemory<double> row_scale_, column_scale_;
    Scaling sent_;
};

}  // namespace frond::gpu
