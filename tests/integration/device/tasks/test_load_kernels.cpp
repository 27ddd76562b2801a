// SPDX-License-Identifier: BSD-3-Clause
// What devices load before the first factorization needs it.
#include "frond/gpu/load_kernels.hpp"
#include "needs_device.hpp"
#include "run_both.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace frond;
using namespace frond::test;

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("all kernels of a scalar are loaded, or none where nobody waits for them", T, load_all) {
    REQUIRE(has_device());
    const std::atomic<bool> stop{true}, go_on{false};
    CHECK(gpu::load_kernels<T>(stop) == 0);
    // One for each call of launch(), of which there are 44; matrix units are not there for all scalars.
    const count_t loaded = gpu::load_kernels<T>(go_on);
    CHECK(loaded >= 40);
    CHECK(gpu::load_kernels<T>(go_on) == loaded);
}
TEST_CASE_TEMPLATE_APPLY(load_all, Scalars);

TEST_SUITE_END();
