// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tile_diagonal.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/gpu/callers_stream.hpp"
#include "frond/gpu/devices.hpp"
#include "engine/valid_copy.hpp"

namespace frond::detail {
namespace {

/// Read access to the copy that a node has.
class CopyOnNode {
public:
    CopyOnNode(starpu_data_handle_t handle, unsigned node) : handle_(handle), node_(static_cast<int>(node)) {
        if (starpu_data_acquire_on_node(handle_, node_, STARPU_R) != 0)
            throw RuntimeError("StarPU gives no access to a tile on a device");
    }
    CopyOnNode(const CopyOnNode&) = delete;
    CopyOnNode& operator=(const CopyOnNode&) = delete;
    ~CopyOnNode() { starpu_data_release_on_node(handle_, node_); }

    const void* interface() const { return starpu_data_get_interface_on_node(handle_, static_cast<unsigned>(node_)); }

private:
    starpu_data_handle_t handle_;
    int node_;
};

template <class T>
void copy_diagonal(starpu_data_handle_t handle, const gpu::Device& device, std::vector<T>& diagonal) {
    const CopyOnNode copy(handle, device.memory_node);
    const auto n = static_cast<index_t>(diagonal.size());
    const T* const tile = reinterpret_cast<const T*>(STARPU_MATRIX_GET_PTR(copy.interface()));
    const auto ld = static_cast<index_t>(STARPU_MATRIX_GET_LD(copy.interface()));
    const gpu::CallersStream stream(device.device, nullptr);
    stream.copy(gpu::CallersStream::Copy::to_host, DenseView<const T>{tile, 1, n, ld + 1},
                DenseView<T>{diagonal.data(), 1, n, 1});
}

}  // namespace

template <class T>
TileDiagonal<T>::TileDiagonal(DataRef data, index_t n) : n_(n) {
    if (!has_valid_copy(data, STARPU_MAIN_RAM))
        for (const gpu::Device& device : gpu::devices()) {
            if (!has_valid_copy(data, device.memory_node)) continue;
            diagonal_.resize(static_cast<std::size_t>(n));
            copy_diagonal(data, device, diagonal_);
            return;
        }
    whole_.emplace(data);
    ld_ = static_cast<index_t>(STARPU_MATRIX_GET_LD(data->buffer()));
}

template <class T>
DenseView<const T> TileDiagonal<T>::view() const {
    if (whole_) return {static_cast<const T*>(whole_->data()), n_, n_, ld_};
    return {diagonal_.data(), n_, n_, 0};
}

#define FROND_INSTANTIATE(T) template class TileDiagonal<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
