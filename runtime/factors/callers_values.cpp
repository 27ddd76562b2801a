// SPDX-License-Identifier: BSD-3-Clause
#include "factors/callers_values.hpp"

#include <algorithm>

#include "engine/callers_memory.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/dense_view.hpp"

namespace frond::detail {

template <class T>
CallersValues<T>::CallersValues(SessionState& session, std::span<const T> values) : data_(values.data()) {
    if (values.empty()) return;
    const auto device = session.has_devices() ? gpu::first_device() : std::nullopt;
    if (!device) {
        expect_host_memory(data_, "the array of values");
        return;
    }
    if (checked_place(data_, *device, "the array of values") == gpu::MemoryPlace::host) return;
    copy_ = HostBlock(static_cast<count_t>(values.size_bytes()), session.pinned_heap());
    const gpu::CallersStream stream(device->device, nullptr);
    constexpr std::size_t piece = std::size_t{1} << 28;  // sizes of a block are 32-bit
    T* const to = static_cast<T*>(copy_.data());
    for (std::size_t first = 0; first < values.size(); first += piece) {
        const auto count = static_cast<index_t>(std::min(piece, values.size() - first));
        stream.copy(gpu::CallersStream::Copy::to_host, DenseView<const T>{values.data() + first, count, 1, count},
                    DenseView<T>{to + first, count, 1, count});
    }
    data_ = to;
}

#define FROND_INSTANTIATE(T) template class CallersValues<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
