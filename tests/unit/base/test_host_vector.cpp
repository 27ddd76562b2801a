// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/large_vector.hpp"
#include "frond/base/sanitizers.hpp"

#include <doctest/doctest.h>

#if FROND_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

using namespace frond;

TEST_CASE("a vector keeps its entries while it grows from small blocks to mapped ones") {
    HostVector<double> v;
    for (int i = 0; i < 100'000; ++i) v.push_back(i);
    bool kept = true;
    for (int i = 0; i < 100'000; ++i) kept = kept && v[static_cast<std::size_t>(i)] == i;
    CHECK(kept);
    CHECK(HostVector<double>(50'000) == HostVector<double>(50'000, 0.0));
}

#if FROND_ADDRESS_SANITIZER
TEST_CASE("AddressSanitizer knows where blocks of all sizes begin and end") {
    for (const std::size_t bytes : {std::size_t{1000}, std::size_t{300'000}, std::size_t{1} << 20}) {
        CAPTURE(bytes);
        char* const block = static_cast<char*>(allocate_block(bytes));
        CHECK(__asan_address_is_poisoned(block - 1) != 0);
        CHECK(__asan_address_is_poisoned(block + bytes - 1) == 0);
        CHECK(__asan_address_is_poisoned(block + bytes) != 0);
        free_block(block, bytes);
        CHECK(__asan_address_is_poisoned(block) != 0);
    }
}
#endif
