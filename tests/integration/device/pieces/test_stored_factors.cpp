// SPDX-License-Identifier: BSD-3-Clause
// Factors at rest on a device that go to the host's memory: for a tree of another solver that needs the room, and before
// solves on the host. Refused memory, cancellation and factors that go meanwhile leave what was there.
#include "cut_trees.hpp"
#include "factors/factors_on_host.hpp"
#include "forced_mapping.hpp"
#include "frond/base/error.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "sound_tree.hpp"
#include "substitution/store_on_host.hpp"
#include "watchdog.hpp"
#include "watched_tasks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

using Use = DeviceRoom::Use;

const detail::FactorsState<double>& inside(const Factors<double>& factors) { return *detail::state_of(factors); }

count_t bytes_on_devices(const Factors<double>& factors) { return inside(factors).factors.parts.bytes_on_devices(); }

count_t bytes_of_copies(const Factors<double>& factors) {
    count_t bytes = 0;
    for (const HostBlock& copy : inside(factors).factors.copies) bytes += copy.bytes();
    return bytes;
}

/// A grid, its analysis, and what it takes on a device as a whole.
struct StoredSystem {
    SparseMatrix<double> a;
    AnalysisResult analysed;
    count_t whole;

    StoredSystem(index_t points, Factorization kind)
        : a(grid<double>(points, {kind, kind == Factorization::lu ? Symmetry::general : Symmetry::symmetric, 6.5})) {
        AnalysisOptions options;
        options.factorization = kind;
        options.deterministic = true;
        analysed = analyze(a, options);
        whole = whole_bytes<double>(analysed.analysis);
    }
    Factors<double> factored(const std::atomic<bool>* cancel = nullptr) const {
        FactorOptions options;
        options.cancel = cancel;
        return factorize(device_session(), analysed.analysis, a, options, &analysed.scaling);
    }
    void check(const Factors<double>& factors) const {
        CHECK(factors.report().status == FactorStatus::success);
        const auto b = RhsBlock<double>::random(a.rows(), 2, 5);
        RhsBlock<double> x(a.rows(), 2);
        CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
        CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<double>());
    }
    /// On the device.
    RhsBlock<double> solution_there(const Factors<double>& factors) const {
        const auto b = RhsBlock<double>::random(a.rows(), 1, 6);
        RhsBlock<double> x(a.rows(), 1);
        SolveOptions options;
        options.place = SolvePlace::device;
        CHECK(solve(factors, b.view(), x.view(), options).on_device);
        return x;
    }
    bool was_whole() const {
        const std::optional<KeptTree> tree = kept_tree<double>();
        return tree && !tree->is_in_parts && !tree->factors_on_host;
    }
};

/// No block of pinned memory while it lives.
class NoPinnedMemory {
public:
    NoPinnedMemory() { heap().limit_used_bytes(heap().used_bytes()); }
    NoPinnedMemory(const NoPinnedMemory&) = delete;
    NoPinnedMemory& operator=(const NoPinnedMemory&) = delete;
    ~NoPinnedMemory() { heap().limit_used_bytes(HostHeap::no_limit); }

private:
    static HostHeap& heap() { return detail::state_of(device_session())->pinned_heap(); }
};

/// Either fits alone.
struct TwoSystems {
    StoredSystem first, second;
    LimitedRoom limited;

    explicit TwoSystems(Factorization kind)
        : first(7, kind), second(7, kind), limited(std::max(first.whole, second.whole)) {
        forget_kept_memory();
    }
};

/// A tree whose fronts are all on tiles, in pieces with a part of the factors each: all of them on the device, or some in
/// pinned memory of the host.
class ManyParts {
public:
    ManyParts(Factorization kind, Between where)
        : system_(6, kind), analysis_(remapped(*system_.analysed.analysis, {"tiles", 40, 0})), limited_(room(where)) {}

    Factors<double> factored() const {
        Factors<double> factors = factorize(device_session(), analysis_, system_.a, {}, &system_.analysed.scaling);
        REQUIRE(factors.report().place.on_device);
        REQUIRE(inside(factors).factors.parts.places().size() >= least_parts);
        REQUIRE(bytes_on_devices(factors) > 0);
        return factors;
    }
    void check(const Factors<double>& factors) const { system_.check(factors); }

private:
    static constexpr std::size_t least_parts = 4;

    count_t room(Between where) const {
        const std::vector<Cut> cuts = cuts_of<double>(analysis_);
        const auto is_such = [where](const Cut& cut) {
            return cut.factors_on_host == (where == Between::host) && cut.pieces >= static_cast<index_t>(least_parts);
        };
        const auto found = std::find_if(cuts.begin(), cuts.end(), is_such);
        REQUIRE(found != cuts.end());
        return found->room_bytes;
    }

    const StoredSystem system_;
    const std::shared_ptr<const Analysis> analysis_;
    const LimitedRoom limited_;
};

/// Solves on the device, for which a factorization may have prepared, hold no factors from now on.
void end_holds() {
    detail::SessionState& session = *detail::state_of(device_session());
    const detail::JobGuard guard(session);
    const detail::HoldPause pause(session);
}

bool store_now(const Factors<double>& factors, const std::atomic<bool>* cancel = nullptr) {
    end_holds();
    const detail::JobGuard guard(*detail::state_of(device_session()));
    return detail::store_on_host(inside(factors), cancel);
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE("stored factors: those of another solver leave a device that has room for one tree") {
    const Watchdog watchdog(300);
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
        CAPTURE(static_cast<int>(kind));
        const TwoSystems systems(kind);
        const count_t before = device_room().used_bytes(Use::factors);
        std::optional<Factors<double>> first(systems.first.factored());
        CHECK(systems.first.was_whole());
        CHECK(bytes_on_devices(*first) > 0);
        const auto determinant = first->log_determinant()->log_abs;
        {
            const Factors<double> second = systems.second.factored();
            CHECK(second.report().place.on_device);
            CHECK(systems.second.was_whole());
            CHECK(bytes_on_devices(*first) == 0);
            CHECK(detail::factors_on_host(inside(*first).factors));
            CHECK(device_room().used_bytes(Use::factors) - before == bytes_on_devices(second));
            systems.first.check(*first);
            systems.second.check(second);
        }
        CHECK(first->log_determinant()->log_abs == determinant);
        // Now the other's turn.
        first.reset();
        const Factors<double> again = systems.first.factored();
        CHECK(systems.first.was_whole());
        systems.first.check(again);
    }
    forget_kept_memory();
}

TEST_CASE("stored factors: solves on the device find them there again") {
    const StoredSystem system(6, Factorization::ldlt);
    forget_kept_memory();
    const Factors<double> factors = system.factored();
    const RhsBlock<double> there = system.solution_there(factors);
    CHECK(store_now(factors));
    CHECK(bytes_on_devices(factors) == 0);
    CHECK_FALSE(store_now(factors));
    CHECK(system.solution_there(factors) == there);
    CHECK(bytes_on_devices(factors) == 0);
}

TEST_CASE("stored factors: without pinned memory they stay, and all solutions are right") {
    const Watchdog watchdog(300);
    const TwoSystems systems(Factorization::lu);
    const Factors<double> first = systems.first.factored();
    const count_t there = bytes_on_devices(first);
    {
        const NoPinnedMemory none;
        const Factors<double> second = systems.second.factored();
        CHECK(bytes_on_devices(first) == there);
        systems.second.check(second);
        systems.first.check(first);
        CHECK(bytes_on_devices(first) == there);
    }
    const Factors<double> second = systems.second.factored();
    CHECK(bytes_on_devices(first) == 0);
    systems.second.check(second);
    systems.first.check(first);
}

TEST_CASE("stored factors: a refused segment leaves all parts where they were") {
    const SoundTree<> tree(Factorization::lu, Symmetry::general, Between::device);
    const Factors<double> factors = tree.in_pieces();
    forget_kept_memory();
    const std::vector<detail::PartPlace> places = inside(factors).factors.parts.places();
    const count_t pinned = detail::state_of(device_session())->pinned_heap().mapped_bytes();
    {
        const Refusals refusals(Use::pinned, 0);
        CHECK_THROWS_AS(store_now(factors), OutOfMemory);
    }
    CHECK(inside(factors).factors.parts.places() == places);
    CHECK(detail::state_of(device_session())->pinned_heap().mapped_bytes() == pinned);
    tree.check_right(factors);
}

TEST_CASE("stored factors: cancellation before each part leaves all parts where they were") {
    const Watchdog watchdog(300);
    const ManyParts tree(Factorization::ldlt, Between::device);
    const Factors<double> factors = tree.factored();
    const RhsBlock<double> x = unrefined(factors);
    const std::vector<detail::PartPlace> places = inside(factors).factors.parts.places();
    for (std::size_t part = 0; part < places.size(); ++part) {
        CAPTURE(part);
        std::atomic<bool> cancel{false};
        const WatchedTasks watched("store_part", [&](count_t task) {
            if (task == static_cast<count_t>(part)) cancel = true;
        });
        CHECK_THROWS_AS(store_now(factors, &cancel), Cancelled);
        CHECK(inside(factors).factors.parts.places() == places);
    }
    CHECK(unrefined(factors) == x);
    CHECK(store_now(factors));
    CHECK(bytes_on_devices(factors) == 0);
    CHECK(unrefined(factors) == x);
    tree.check(factors);
}

TEST_CASE("stored factors: a factorization is cancelled while it stores another's") {
    const TwoSystems systems(Factorization::llt);
    const Factors<double> first = systems.first.factored();
    const count_t there = bytes_on_devices(first);
    {
        std::atomic<bool> cancel{false};
        const WatchedTasks watched("store_part", [&](count_t) { cancel = true; });
        CHECK_THROWS_AS(systems.second.factored(&cancel), Cancelled);
    }
    CHECK(bytes_on_devices(first) == there);
    systems.first.check(first);
    systems.second.check(systems.second.factored());
}

TEST_CASE("stored factors: some that go meanwhile") {
    const Watchdog watchdog(300);
    forget_kept_memory();
    const count_t before = device_room().used_bytes(Use::factors);
    {
        const TwoSystems systems(Factorization::llt);
        std::optional<Factors<double>> first(systems.first.factored());
        std::thread other;
        {
            const WatchedTasks watched("store_part", [&](count_t task) {
                if (task == 0) other = std::thread([&first] { first.reset(); });
            });
            const Factors<double> second = systems.second.factored();
            CHECK(watched.submitted() > 0);
            CHECK(systems.second.was_whole());
            systems.second.check(second);
        }
        other.join();
    }
    forget_kept_memory();
    CHECK(device_room().used_bytes(Use::factors) == before);
}

TEST_CASE("stored factors: others read them while a factorization stores them") {
    const Watchdog watchdog(300);
    const TwoSystems systems(Factorization::lu);
    const Factors<double> first = systems.first.factored();
    const auto determinant = first.log_determinant()->log_abs;
    std::atomic<bool> done{false};
    bool same = true;
    std::thread reader([&] {
        while (!done) same = same && first.log_determinant()->log_abs == determinant;
    });
    systems.second.check(systems.second.factored());
    done = true;
    reader.join();
    CHECK(same);
    systems.first.check(first);
}

TEST_CASE("stored factors: a solve on the host has copies of those in both memories, with the bits of factors there") {
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
        CAPTURE(static_cast<int>(kind));
        const ManyParts tree(kind, Between::host);
        std::optional<RhsBlock<double>> without_memory;
        {
            const Factors<double> factors = tree.factored();
            const NoPinnedMemory none;
            without_memory = unrefined(factors);
            CHECK(inside(factors).factors.copies.empty());
        }
        const Factors<double> factors = tree.factored();
        const count_t there = bytes_on_devices(factors);
        CHECK(unrefined(factors) == *without_memory);
        CHECK(bytes_of_copies(factors) == there);
        CHECK(unrefined(factors) == *without_memory);
        CHECK(bytes_of_copies(factors) == there);
        CHECK(bytes_on_devices(factors) == there);
        CHECK(store_now(factors));
        CHECK(bytes_on_devices(factors) == 0);
        CHECK(inside(factors).factors.copies.empty());
        CHECK(detail::factors_on_host(inside(factors).factors));
        CHECK(unrefined(factors) == *without_memory);
    }
}

TEST_CASE("stored factors: the next ones of the analysis have the same memory, that of copies, too") {
    const ManyParts tree(Factorization::ldlt, Between::host);
    HostHeap& pinned = detail::state_of(device_session())->pinned_heap();
    std::vector<void*> places;
    for (int round = 0; round < 4; ++round) {
        CAPTURE(round);
        const Factors<double> factors = tree.factored();
        const WatchedTasks watched("store_part");
        unrefined(factors);
        CHECK(watched.submitted() == 0);
        std::vector<void*> now;
        for (const HostBlock& copy : inside(factors).factors.copies) now.push_back(copy.data());
        CHECK(!now.empty());
        if (round == 0) places = now;
        CHECK(now == places);
    }
    CHECK(pinned.mapped_bytes() > pinned.used_bytes());
    forget_kept_memory();
    detail::state_of(device_session())->give_back_memory();
    CHECK(pinned.used_bytes() == 0);
    CHECK(pinned.mapped_bytes() == 0);
}

TEST_CASE("stored factors: a solve on the host leaves those on the device that all are there") {
    const ManyParts tree(Factorization::llt, Between::device);
    const Factors<double> factors = tree.factored();
    const count_t there = bytes_on_devices(factors);
    end_holds();
    unrefined(factors);
    CHECK(bytes_on_devices(factors) == there);
}

TEST_SUITE_END();
