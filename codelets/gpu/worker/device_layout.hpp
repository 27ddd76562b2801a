// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "frond/base/types.hpp"

namespace frond::gpu {

/// An array inside a block of memory that is laid out before it is there.
template <class Value>
struct Place {
    std::size_t at = 0, count = 0;

    Value* in(void* block) const { return reinterpret_cast<Value*>(static_cast<char*>(block) + at); }
    std::size_t bytes() const { return count * sizeof(Value); }
};

/// Arrays one after the other, each at a multiple of 64 bytes.
class DeviceLayout {
public:
    template <class Value>
    Place<Value> add(std::size_t count) {
        const Place<Value> place{bytes_, count};
        bytes_ = (bytes_ + place.bytes() + 63) / 64 * 64;
        return place;
    }
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

}  // namespace frond::gpu
