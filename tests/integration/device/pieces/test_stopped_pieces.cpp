// SPDX-License-Identifier: BSD-3-Clause
// A factorization on the device that is cancelled before each of its pieces: the exception, nothing kept that was not
// kept before, and the next factorization as if nothing had been.
#include "frond/base/error.hpp"
#include "needs_device.hpp"
#include "sound_tree.hpp"
#include "watchdog.hpp"
#include "watched_tasks.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// The flag is set when the worker of the device takes that piece. Returns how many pieces it took.
template <class Body>
count_t cancelled_at(count_t piece, Body body) {
    std::atomic<bool> cancel{false};
    std::atomic<count_t> taken{0};
    const WatchedTasks watched("factor_piece", [&](count_t task) {
        ++taken;
        if (task == piece) cancel = true;
    });
    CHECK_THROWS_AS(body(&cancel), Cancelled);
    return taken;
}

void check_cancelled_pieces(Factorization kind, Symmetry symmetry, Between where) {
    CAPTURE(static_cast<int>(kind));
    CAPTURE(static_cast<int>(where));
    forget_kept_memory();
    const count_t nothing = kept_bytes(), none_pinned = device_room().used_bytes(DeviceRoom::Use::pinned);
    {
        const SoundTree<> tree(kind, symmetry, where);
        for (index_t piece = 0; piece < tree.pieces(); ++piece) {
            CAPTURE(piece);
            static_cast<void>(
                tree.in_pieces());  // whose memory is kept, unless solves on the host have stored the factors
            const count_t kept = kept_bytes();
            cancelled_at(piece, [&](const std::atomic<bool>* cancel) { tree.factored(cancel); });
            CHECK(kept_bytes() <= kept);
            tree.check_again();
        }
    }
    forget_kept_memory();
    CHECK(kept_bytes() == nothing);
    CHECK(device_room().used_bytes(DeviceRoom::Use::pinned) == none_pinned);
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE("cancellation before each piece of a tree") {
    const Watchdog watchdog(300);
    check_cancelled_pieces(Factorization::lu, Symmetry::general, Between::device);
    check_cancelled_pieces(Factorization::llt, Symmetry::symmetric, Between::host);
}

/// The attempt in which a pivot fails, and the one with its column delayed.
TEST_CASE("cancellation before each piece of a tree in which a pivot fails") {
    const Watchdog watchdog(300);
    const PlantedBroom<double> broom({3, 2, 8, 3, 1}, Factorization::ldlt, Symmetry::symmetric);
    const Cut cut = nearest_cut(cuts_of<double>(broom.analysed().analysis), 8);
    const LimitedRoom limited(cut.room_bytes);
    const std::vector<gpu::TreePiece> pieces = pieces_of<double>(broom.analysed().analysis, cut);
    const SparseMatrix<double> a = broom.with({broom.column_in(pieces.front())});
    const auto factored = [&](const std::atomic<bool>* cancel) {
        FactorOptions options;
        options.cancel = cancel;
        const auto analysis = std::make_shared<const Analysis>(*broom.analysed().analysis);
        return factorize(device_session(), analysis, a, options, &broom.analysed().scaling);
    };
    count_t tasks = 0;
    std::optional<RhsBlock<double>> x;
    {
        const WatchedTasks watched("factor_piece");
        const Factors<double> factors = factored(nullptr);
        x = unrefined(factors);
        CHECK(factors.report().pivots.delayed == 2);
        tasks = watched.submitted();
    }
    REQUIRE(tasks > cut.pieces);
    for (count_t task = 0; task < tasks; ++task) {
        CAPTURE(task);
        cancelled_at(task, [&](const std::atomic<bool>* cancel) { factored(cancel); });
        const Factors<double> again = factored(nullptr);
        CHECK(again.report().place.on_device);
        CHECK(unrefined(again) == *x);
    }
}

TEST_SUITE_END();
