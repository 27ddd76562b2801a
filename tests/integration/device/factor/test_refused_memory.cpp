// SPDX-License-Identifier: BSD-3-Clause
// Device memory that is refused: the run ends rightly by tasks or on cores, or in DeviceError; nothing is kept,
// and the session works afterwards. Without a device nothing is asked for, and cores do it.
#include "child_process.hpp"
#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "error_oracle.hpp"
#include "frond/gpu/devices.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "refused_memory.hpp"
#include "substitution/device_solve.hpp"
#include "tolerance.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

using Use = DeviceRoom::Use;

struct Problem {
    Kind kind;
    ForcedMapping mapping;
    SparseMatrix<double> matrix;
    test::DenseMatrix wide;
    Scaling scaling;
    std::shared_ptr<const Analysis> analysis;

    Problem(const Kind& k, const ForcedMapping& m)
        : kind(k), mapping(m), matrix(grid<double>(6, k)), wide(dense(matrix)) {
        AnalysisOptions options;
        options.factorization = kind.factorization;
        options.deterministic = true;
        const AnalysisResult analysed = analyze(matrix, options);
        scaling = analysed.scaling;
        analysis = remapped(*analysed.analysis, mapping);
    }

    Factors<double> factored(FactorPlace place) const {
        FactorOptions options;
        options.place = place;
        return factorize(device_session(), analysis, matrix, options, &scaling);
    }

    /// Nothing: it ended in DeviceError.
    template <class Body>
    static std::optional<SolveReport> unless_refused(Body body) {
        try {
            return body();
        } catch (const DeviceError& error) {
            CHECK(std::string(error.what()).find("no room") != std::string::npos);
            return std::nullopt;
        }
    }

    SolveReport solve_rightly(const Factors<double>& factors) const {
        const auto b = RhsBlock<double>::random(matrix.rows(), 2, 9);
        RhsBlock<double> x(matrix.rows(), 2);
        const SolveReport report = solve(factors, b.view(), x.view());
        CHECK(report.status == SolveStatus::converged);
        CHECK(componentwise_error(wide, widened(x), widened(b)) <= 450 * epsilon<double>());
        return report;
    }
};

std::vector<Problem> problems() {
    std::vector<Problem> all;
    for (const ForcedMapping& mapping : {ForcedMapping{"one subtree", 16, 216}, ForcedMapping{"tiles", 40, 0}}) {
        all.emplace_back(Kind{Factorization::llt, Symmetry::symmetric, 6.5}, mapping);
        all.emplace_back(Kind{Factorization::ldlt, Symmetry::symmetric, 6.5}, mapping);
        all.emplace_back(Kind{Factorization::lu, Symmetry::general, 6.5}, mapping);
    }
    return all;
}

void release_hold(const Factors<double>& factors) {
    const detail::JobGuard guard(*detail::state_of(device_session()));
    detail::state_of(factors)->device_solve().abandon();
}

}  // namespace

TEST_CASE("a room that refuses, and counts") {
    DeviceRoom room;
    CHECK(room.admits(Use::tables));
    room.admit_only(Use::tables, 1);
    CHECK(room.admits(Use::tables));
    CHECK(!room.admits(Use::tables));
    CHECK(!room.admits(Use::tables));
    CHECK(room.admits(Use::factors));
    CHECK(room.requests(Use::tables) == 4);
    room.admit_all();
    CHECK(room.admits(Use::tables));
    room.add(Use::scratch, 100);
    room.remove(Use::scratch, 40);
    CHECK(room.used_bytes(Use::scratch) == 60);
    CHECK(room.used_bytes(Use::pinned) == 0);
}

TEST_CASE("parts of factors that are refused, and parts that move") {
    detail::SessionState& session = *detail::state_of(device_session());
    const detail::JobGuard guard(session);
    const count_t before = device_room().used_bytes(Use::factors);
    {
        HostHeap& pinned = session.pinned_heap();
        detail::FactorParts parts({{1024, STARPU_MAIN_RAM}, {512, STARPU_MAIN_RAM}}, pinned);
        const detail::FactorParts moved(std::move(parts));
        CHECK(device_room().used_bytes(Use::factors) == before + 1536);
        const Refusals refusals(Use::factors, 0);
        CHECK_THROWS_AS(detail::FactorParts({{256, STARPU_MAIN_RAM}}, pinned), DeviceError);
        CHECK_THROWS_AS(session.take_parts({{256, STARPU_MAIN_RAM}}), DeviceError);
        CHECK(device_room().used_bytes(Use::factors) <= before + 1536);
    }
    CHECK(session.take_parts({{256, STARPU_MAIN_RAM}}).bytes_on(STARPU_MAIN_RAM) == 256);
}

namespace {

void refuse_whole_trees() {
    const Watchdog watchdog(300);
    for (const Problem& p : problems()) {
        CAPTURE(static_cast<int>(p.kind.factorization));
        CAPTURE(std::string(p.mapping.name));
        const auto whole = [&p] { return p.solve_rightly(p.factored(FactorPlace::automatic)); };
        CHECK(whole().on_device == has_device());
        const count_t kept = kept_bytes();
        for (const Use use : {Use::factors, Use::tables, Use::pinned}) {
            const auto anew = [&] {
                forget_kept_memory();
                return whole();
            };
            const count_t refusals = refuse_one_after_the_other(use, [&] { Problem::unless_refused(anew); });
            CHECK((refusals > 0) == has_device());
            CHECK(kept_bytes() <= kept);
        }
        const Factors<double> again = p.factored(FactorPlace::automatic);
        CHECK(again.report().place.on_device == has_device());
        CHECK(p.solve_rightly(again).on_device == has_device());
    }
}

}  // namespace

TEST_CASE("a whole tree without room for its factors, tables or pinned memory" * doctest::test_suite(needs_device)) {
    refuse_whole_trees();
}

TEST_CASE("a shared tree without room for its factors, tables or pinned memory" *
          doctest::test_suite(needs_quick_device)) {
    gpu::force_sharing(2);
    refuse_whole_trees();
    gpu::force_sharing(1);
}

TEST_CASE("factor_place = device and no room is a DeviceError" * doctest::test_suite(needs_device)) {
    const Problem p({Factorization::llt, Symmetry::symmetric, 6.5}, {"tiles", 40, 0});
    forget_kept_memory();
    for (const Use use : {Use::factors, Use::tables}) {
        const Refusals refusals(use, 0);
        CHECK_THROWS_AS(p.factored(FactorPlace::device), DeviceError);
    }
    CHECK(p.factored(FactorPlace::device).report().place.on_device);
}

TEST_CASE("a solve without room on the device leaves the factors as they were" * doctest::test_suite(needs_device)) {
    const Watchdog watchdog(300);
    for (const Problem& p : problems())
        for (const FactorPlace place : {FactorPlace::automatic, FactorPlace::tasks}) {
            CAPTURE(static_cast<int>(p.kind.factorization));
            CAPTURE(std::string(p.mapping.name));
            CAPTURE(static_cast<int>(place));
            const Factors<double> factors = p.factored(place);
            forget_kept_memory();  // a solve without room takes that, too
            const count_t kept = kept_bytes();
            for (const Use use : {Use::tables, Use::pinned}) {
                const auto anew = [&] {
                    release_hold(factors);
                    return p.solve_rightly(factors);
                };
                const count_t refusals = refuse_one_after_the_other(use, [&] { Problem::unless_refused(anew); });
                if (use == Use::tables) CHECK((refusals > 0) == has_device());
                release_hold(factors);
                CHECK(kept_bytes() == kept);
            }
            CHECK(p.solve_rightly(factors).on_device == has_device());
        }
}

namespace {

/// To be run where no worker has memory of that use yet.
void check_workers_without(Use use) {
    for (const Problem& p : problems()) {
        CAPTURE(static_cast<int>(p.kind.factorization));
        CAPTURE(std::string(p.mapping.name));
        std::optional<Factors<double>> factors;
        Problem::unless_refused([&]() -> SolveReport {
            const Refusals refusals(use, 0);
            factors = p.factored(FactorPlace::tasks);
            return {};
        });
        // Cores factor subtrees; a diagonal tile on the device cannot do without.
        const bool subtree = p.mapping.subtree_columns > 0;
        CHECK(factors.has_value() == (subtree || !has_device()));
        if (factors) static_cast<void>(p.solve_rightly(*factors));
    }
    // Now workers get what they need, and keep it.
    for (const Problem& p : problems()) static_cast<void>(p.solve_rightly(p.factored(FactorPlace::tasks)));
    CHECK((device_room().used_bytes(use) > 0) == has_device());
}

}  // namespace

TEST_CASE("child: workers without scratch memory" * doctest::skip()) { check_workers_without(Use::scratch); }

TEST_CASE("child: workers without pinned memory" * doctest::skip()) { check_workers_without(Use::pinned); }

TEST_CASE("workers without scratch memory, and without pinned memory" * doctest::test_suite(needs_card)) {
    CHECK(run_case_in_child("child: workers without scratch memory", {}, 120) == 0);
    CHECK(run_case_in_child("child: workers without pinned memory", {}, 120) == 0);
}
