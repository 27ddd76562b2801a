// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/device_columns.hpp"

#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {

template <class T>
void DeviceColumns<T>::take(index_t first, index_t count) {
    first_ = first;
    count_ = count;
    device_.take_right_hand_sides(b_.view.block(0, first, b_.view.rows, count), b_.place, parallel_for_);
    is_correcting_ = true;
    device_.correct(true);
}

template <class T>
void DeviceColumns<T>::correct(std::span<const index_t>) {
    is_correcting_ = true;
    device_.correct(false);
}

template <class T>
void DeviceColumns<T>::settle() noexcept {
    if (!std::exchange(is_correcting_, false)) return;
    try {
        static_cast<void>(device_.correction_seconds());
    } catch (const DeviceError&) {  // nothing is under way on a lost device
    }
}

template <class T>
std::vector<ResidualSizes> DeviceColumns<T>::measure(std::span<const index_t> columns) {
    const std::vector<gpu::ResidualSizes> all = device_.measure();
    seconds_ += device_.correction_seconds();
    is_correcting_ = false;
    std::vector<ResidualSizes> sizes;
    for (const index_t q : columns)
        sizes.push_back({all[at(q)].x, all[at(q)].b, all[at(q)].r, all[at(q)].componentwise, all[at(q)].pure,
                         quotient_of_b(all[at(q)].r_of_row, all[at(q)].b_of_row),
                         quotient_of_b(all[at(q)].violated_of_row, all[at(q)].b_of_row)});
    return sizes;
}

/// Neighbours together.
template <class T>
void DeviceColumns<T>::accept(std::span<const index_t> columns) {
    for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
        for (++end; end < columns.size() && columns[end] == columns[end - 1] + 1;) ++end;
        device_.adopt(columns[begin], static_cast<index_t>(end - begin));
    }
}

template <class T>
void DeviceColumns<T>::give() {
    device_.give_solutions(x_.view.block(0, first_, x_.view.rows, count_), x_.place, parallel_for_);
}

#define FROND_INSTANTIATE(T) template class DeviceColumns<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
