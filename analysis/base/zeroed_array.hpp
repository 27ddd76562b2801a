// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace frond {

/// Zeros whose memory is only taken where they are written to: scratch of a thread that needs a few
/// entries of a long list.
class ZeroedArray {
public:
    explicit ZeroedArray(std::size_t size) : data_(static_cast<index_t*>(std::calloc(size + 1, sizeof(index_t)))) {
        if (data_ == nullptr) throw std::bad_alloc();
    }

    index_t& operator[](index_t k) { return data_.get()[k]; }

private:
    struct Free {
        void operator()(index_t* data) const { std::free(data); }
    };

    std::unique_ptr<index_t, Free> data_;
};

}  // namespace frond
