// SPDX-License-Identifier: BSD-3-Clause
// Where a device has room for a solve or for the plan of the next factorization, cores do the first solves.
#include "cut_trees.hpp"
#include "factors/state_of.hpp"
#include "forced_mapping.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "refused_memory.hpp"
#include "substitution/device_solve.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

struct CutSystem {
    SparseMatrix<double> a = grid<double>(6, {Factorization::lu, Symmetry::general, 6.5});
    AnalysisResult analysed;
    std::shared_ptr<const Analysis> analysis;

    explicit CutSystem(bool deterministic) {
        AnalysisOptions options;
        options.factorization = Factorization::lu;
        options.deterministic = deterministic;
        analysed = analyze(a, options);
        const auto mapped = std::make_shared<Analysis>(*remapped(*analysed.analysis, {"tiles", 40, 0}));
        mapped->options.deterministic = deterministic;  // whatever all tests are asked for
        analysis = mapped;
    }
    Factors<double> factored() const {
        FactorOptions options;
        options.place = FactorPlace::device;  // small as it is
        return factorize(device_session(), analysis, a, options, &analysed.scaling);
    }
};

/// Whether the solve got room on the device.
bool leases(const Factors<double>& factors, SolvePlace place) {
    detail::SessionState& session = *detail::state_of(device_session());
    const detail::JobGuard guard(session);
    return detail::state_of(factors)->device_solve().lease(1, place).get() != nullptr;
}

bool keeps_plan() { return detail::state_of(device_session())->workspace_bytes() > 0; }

/// Factors in both memories, on a device that holds a solve only without the plan. Empty: not with so much room.
std::optional<Factors<double>> tight_factors(const CutSystem& system) {
    forget_kept_memory();
    {
        const Factors<double> factors = system.factored();
        const detail::FactorParts& parts = detail::state_of(factors)->factors.parts;
        if (parts.bytes_on_host() == 0 || parts.bytes_on_devices() == 0 || !keeps_plan()) return std::nullopt;
        if (!leases(factors, SolvePlace::device) || keeps_plan()) return std::nullopt;
    }
    forget_kept_memory();
    return system.factored();
}

/// check(factors) with tight factors of up to 3 cuts.
template <class Check>
void for_tight_factors(const CutSystem& system, Check check) {
    index_t tried = 0, enough = 3;
    for (const Cut& cut : cuts_of<double>(system.analysis)) {
        if (!cut.factors_on_host || tried == enough) continue;
        const LimitedRoom limited(cut.room_bytes);
        const std::optional<Factors<double>> factors = tight_factors(system);
        if (!factors) continue;
        ++tried;
        check(*factors);
    }
    // On a real device the room that a solve leaves is not cut so finely for such small trees.
    if (gpu::vendor_of_build() == DeviceVendor::emulated) REQUIRE(tried > 0);
    forget_kept_memory();
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE("the plan of the next factorization stays for two solves, and goes for the third") {
    for_tight_factors(CutSystem(false), [](const Factors<double>& factors) {
        for (int solve = 0; solve < 2; ++solve) {
            CHECK_FALSE(leases(factors, SolvePlace::automatic));
            CHECK(keeps_plan());
            CHECK(detail::state_of(factors)->device_solve().waits_for_solves());
        }
        CHECK(leases(factors, SolvePlace::automatic));
        CHECK_FALSE(keeps_plan());
    });
}

TEST_CASE("the plan of the next factorization goes for the first solve of a deterministic run") {
    for_tight_factors(CutSystem(true), [](const Factors<double>& factors) {
        CHECK(leases(factors, SolvePlace::automatic));
        CHECK_FALSE(keeps_plan());
    });
}

TEST_SUITE_END();
