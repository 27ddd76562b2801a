// SPDX-License-Identifier: BSD-3-Clause
#include "needs_device.hpp"

#include "requirement.hpp"
#include "run_both.hpp"

#include <cstdlib>

namespace frond::test {
namespace {

bool has_card() { return has_device() && gpu::vendor_of_build() != DeviceVendor::emulated; }

[[maybe_unused]] const bool suites_are_known[] = {
    require_for_suite(needs_device, has_device),
    require_for_suite(needs_one_device, [] { return device_session().info().gpus == 1; }),
    require_for_suite(needs_card, has_card),
    require_for_suite(needs_quick_device, has_card),
    require_for_suite(needs_no_device, [] { return !has_device(); }),
    require_for_suite(needs_faults, [] { return has_device() && std::getenv("FROND_TEST_FAULTS") != nullptr; }),
};

}  // namespace
}  // namespace frond::test
