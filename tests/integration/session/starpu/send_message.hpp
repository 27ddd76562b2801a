// SPDX-License-Identifier: BSD-3-Clause
// A message between two handles of one process: packed, received, unpacked.
#pragma once

#include "engine/data_handle.hpp"

#include <doctest/doctest.h>

#include <cerrno>

namespace frond::test {

/// peek: the buffer stays and is used twice, forget() between. check_arrived(): that the receiver has what was sent.
template <class CheckArrived, class Forget>
void send_message(const detail::DataHandle& sender, const detail::DataHandle& receiver, count_t expected_bytes,
                  bool peek, const CheckArrived& check_arrived, const Forget& forget) {
    starpu_ssize_t announced = 0, bytes = 0;
    REQUIRE(starpu_data_pack(sender.get(), nullptr, &announced) == 0);
    CHECK(announced == expected_bytes);
    void* message = nullptr;
    REQUIRE(starpu_data_pack(sender.get(), &message, &bytes) == 0);
    REQUIRE(message != nullptr);
    CHECK(bytes == announced);
    const auto size = static_cast<size_t>(bytes);
    if (peek) {
        CHECK(starpu_data_peek(receiver.get(), message, size) == 0);
        check_arrived();
        forget();
    }
    CHECK(starpu_data_unpack(receiver.get(), message, size) == 0);
    check_arrived();
}

}  // namespace frond::test
