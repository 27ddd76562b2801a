// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "library.hpp"

#include <vector>

namespace frond::bench {

/// Memory of the current card.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t size) : bytes_(size * sizeof(T)) {
        check(cudaMalloc(&data_, bytes_), "cudaMalloc");
    }

    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    ~DeviceArray() { static_cast<void>(cudaFree(data_)); }

    void* data() const { return data_; }

    /// @pre host has the size of this
    void from_host(const std::vector<T>& host) {
        check(cudaMemcpy(data_, host.data(), bytes_, cudaMemcpyHostToDevice), "cudaMemcpy to the card");
    }

    void to_host(std::vector<T>& host) const {
        check(cudaMemcpy(host.data(), data_, bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy from the card");
    }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace frond::bench
