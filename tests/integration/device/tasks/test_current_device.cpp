// SPDX-License-Identifier: BSD-3-Clause
// The current device of the application's thread, whatever a session does with others.
#include "child_process.hpp"
#include "factors/state_of.hpp"
#include "device_vectors.hpp"
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

/// The last device of the machine is the calling thread's, as an application may choose; none without a device.
class ChosenDevice {
public:
    ChosenDevice() {
        if (!has_device()) return;
        int count = 0;
        vendor_call<int*>("GetDeviceCount", &count);
        vendor_call<int*>("GetDevice", &before_);
        vendor_call<int>("SetDevice", count - 1);
        chosen_ = count - 1;
    }
    ChosenDevice(const ChosenDevice&) = delete;
    ChosenDevice& operator=(const ChosenDevice&) = delete;
    ~ChosenDevice() {
        if (has_device()) vendor_call<int>("SetDevice", before_);
    }

    bool is_kept() const {
        if (!has_device()) return chosen_ == -1;
        int now = -1;
        vendor_call<int*>("GetDevice", &now);
        return now == chosen_;
    }

private:
    int before_ = 0, chosen_ = -1;
};

}  // namespace

TEST_SUITE_BEGIN(needs_card);

TEST_CASE("the current device of the application stays") {
    constexpr index_t k = 6, n = k * k * k;
    const Kind kind{Factorization::lu, Symmetry::general, 6.5};
    const SparseMatrix<double> a = grid<double>(k, kind);
    const auto b = RhsBlock<double>::random(n, 2, 5);
    RhsBlock<double> x(n, 2);
    const ChosenDevice chosen;
    for (const FactorPlace place : {FactorPlace::automatic, FactorPlace::tasks}) {
        CAPTURE(static_cast<int>(place));
        std::optional<Factors<double>> factors = factored(a, kind.factorization, {"", 40, 60}, place);
        CHECK(chosen.is_kept());
        for (const SolvePlace where : {SolvePlace::automatic, SolvePlace::host}) {
            SolveOptions options;
            options.place = where;
            CHECK(solve(*factors, b.view(), x.view(), options).status == SolveStatus::converged);
            CHECK(chosen.is_kept());
            CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<double>());
        }
        CHECK(factors->log_determinant().has_value());
        CHECK(chosen.is_kept());
        factors.reset();
        CHECK(chosen.is_kept());
        const detail::JobGuard guard(*detail::state_of(device_session()));
        detail::state_of(device_session())->forget_workspaces();
        detail::state_of(device_session())->forget_spare_solves();
        detail::state_of(device_session())->forget_parts();
        CHECK(chosen.is_kept());
    }
}

TEST_CASE("child: the current device from a session's start to its end" * doctest::skip()) {
    int before = -1, after = -1;
    const bool device = gpu::device_count() > 0 && gpu::why_unusable().empty();
    if (device) {
        vendor_call<int>("SetDevice", gpu::device_count() - 1);
        vendor_call<int*>("GetDevice", &before);
    }
    {
        const Session session;
        CHECK(session.info().cpu_workers > 0);
        if (device) vendor_call<int*>("GetDevice", &after);
        CHECK(after == before);
    }
    if (device) vendor_call<int*>("GetDevice", &after);
    CHECK(after == before);
}

TEST_CASE("the current device from a session's start to its end") {
    CHECK(run_case_in_child("child: the current device from a session's start to its end", {}, 120) == 0);
}

TEST_SUITE_END();
