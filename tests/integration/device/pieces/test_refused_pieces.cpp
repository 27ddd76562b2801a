// SPDX-License-Identifier: BSD-3-Clause
// A tree in pieces for which the k-th request for memory of the device, or for pinned memory of the host, is refused, for
// every k: a right result, nothing kept, and the next factorization on the device as if nothing had been.
#include "frond/base/error.hpp"
#include "needs_device.hpp"
#include "sound_tree.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

using Use = DeviceRoom::Use;

void check_refused_pieces(Factorization kind, Symmetry symmetry, Between where) {
    CAPTURE(static_cast<int>(kind));
    CAPTURE(static_cast<int>(where));
    forget_kept_memory();
    const count_t nothing = kept_bytes(), none_pinned = device_room().used_bytes(Use::pinned);
    const SoundTree<> tree(kind, symmetry, where);
    for (const Use use : {Use::factors, Use::tables, Use::pinned}) {
        count_t by_tasks = 0;
        const auto anew = [&] {
            const Factors<double> factors = tree.factored();
            tree.check_right(factors);
            by_tasks += factors.report().place.on_device ? 0 : 1;
        };
        const auto again = [&] {
            tree.check_again();
            forget_kept_memory();
            CHECK(kept_bytes() == nothing);
            CHECK(device_room().used_bytes(Use::pinned) == none_pinned);
        };
        forget_kept_memory();
        const count_t refusals = refuse_one_after_the_other(use, anew, again);
        // All factors may have gone to the host.
        CHECK((refusals > 0 || (use == Use::factors && where == Between::host)));
        CHECK(by_tasks <= refusals);
    }
}

/// The first factorization of an analysis: one round in which a pivot fails, and one that takes over what is the same.
void check_refused_rounds(Factorization kind, Symmetry symmetry) {
    CAPTURE(static_cast<int>(kind));
    const PlantedBroom<double> broom({3, 2, 8, 3, 1}, kind, symmetry);
    const Cut cut = nearest_cut(cuts_of<double>(broom.analysed().analysis), 8);
    const LimitedRoom limited(cut.room_bytes);
    const SparseMatrix<double> a =
        broom.with({broom.column_in(pieces_of<double>(broom.analysed().analysis, cut).front())});
    const auto b = RhsBlock<double>::random(broom.order(), 1, 31);
    const auto factored = [&] {
        const auto analysis = std::make_shared<const Analysis>(*broom.analysed().analysis);
        const Factors<double> factors = factorize(device_session(), analysis, a, {}, &broom.analysed().scaling);
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(componentwise_error(dense(a), widened(unrefined(factors)), widened(b)) <= 450 * epsilon<double>());
        return factors.report();
    };
    forget_kept_memory();
    const count_t nothing = kept_bytes(), none_pinned = device_room().used_bytes(Use::pinned);
    const auto again = [&] {
        const FactorReport report = factored();
        CHECK(report.place.on_device);
        CHECK(report.work.pieces_again < cut.pieces);
        forget_kept_memory();
        CHECK(kept_bytes() == nothing);
        CHECK(device_room().used_bytes(Use::pinned) == none_pinned);
    };
    again();
    for (const Use use : {Use::factors, Use::tables, Use::pinned})
        CHECK(refuse_one_after_the_other(use, factored, again) > 0);
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE("a tree in pieces without room for its factors, tables or pinned memory") {
    const Watchdog watchdog(300);
    check_refused_pieces(Factorization::lu, Symmetry::general, Between::device);
    check_refused_pieces(Factorization::ldlt, Symmetry::symmetric, Between::host);
}

TEST_CASE("a tree in pieces without room for them after a pivot has failed") {
    const Watchdog watchdog(300);
    check_refused_rounds(Factorization::ldlt, Symmetry::symmetric);
}

TEST_SUITE_END();
