// SPDX-License-Identifier: BSD-3-Clause
// Pivots that fail in one piece of a tree on the device, in each piece in turn, and in all pieces with
// leaves at once.
#include "cut_trees.hpp"
#include "forced_sharing.hpp"
#include "needs_device.hpp"
#include "pieces_again.hpp"
#include "planted_broom.hpp"
#include "planted_grid.hpp"
#include "scalar_lists.hpp"
#include "watched_tasks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Factored in pieces, with so much room, as if it were the first time.
template <class T, class Planted>
class FailingPieces {
public:
    FailingPieces(const Planted& planted, const Cut& cut,
                  const std::vector<gpu::Device>& devices = {gpu::first_device().value()})
        : planted_(planted), cut_(cut), again_(planted.analysed().analysis, cut, devices), limited_(cut.room_bytes) {}

    std::vector<gpu::TreePiece> pieces() const { return again_.pieces(); }

    void check(const std::vector<PlantedColumn>& columns) {
        const SparseMatrix<T> a = planted_.with(columns), twice = doubled(a);
        const auto analysis = std::make_shared<const Analysis>(*planted_.analysed().analysis);
        const WatchedTasks first("factor_piece");
        const Factors<T> factors = factored(analysis, a);
        const count_t submitted = first.submitted();
        check_report(factors.report(), columns);
        const index_t again = again_.count(columns);
        CHECK(submitted == cut_.pieces + again);
        CHECK(factors.report().work.pieces_again == again);
        most_kept_ = std::max(most_kept_, cut_.pieces - again);
        const RhsBlock<T> x = unrefined(factors);
        // The next one begins with what the first one found, although a solve may have taken the memory of fronts.
        const Factors<T> next = factored(analysis, twice);
        CHECK(first.submitted() - submitted == kept().pieces);
        ++checked_;
        still_in_pieces_ += kept().pieces > 1 ? 1 : 0;
        check_report(next.report(), columns);
        CHECK(next.report().work.pieces_again == 0);
        const RhsBlock<T> halved = unrefined(next);
        for (index_t i = 0; i < a.rows(); ++i) REQUIRE(halved(i, 0) + halved(i, 0) == x(i, 0));
        const auto b = RhsBlock<T>::random(a.rows(), 1, 31);
        CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
        RhsBlock<T> refined(a.rows(), 1);
        SolveOptions options;
        options.place = SolvePlace::host;
        CHECK(solve(next, b.view(), refined.view(), options).status == SolveStatus::converged);
        check_on_cores(a, columns);
    }

    /// With columns delayed a tree may have room as a whole, but most have not.
    void check_most_in_pieces() const { CHECK(2 * still_in_pieces_ > checked_); }
    index_t most_kept() const { return most_kept_; }

private:
    Factors<T> factored(const std::shared_ptr<const Analysis>& analysis, const SparseMatrix<T>& a,
                        FactorPlace place = FactorPlace::automatic) const {
        FactorOptions options;
        options.place = place;
        return factorize(device_session(), analysis, a, options, &planted_.analysed().scaling);
    }

    KeptTree kept() const {
        const std::optional<KeptTree> tree = kept_tree<T>();
        REQUIRE(tree.has_value());
        return *tree;
    }

    /// Each column counts for the fronts it is handed to; each pair (0 8; 8 4) has one negative eigenvalue.
    void check_report(const FactorReport& report, const std::vector<PlantedColumn>& columns) const {
        INFO(report.place.reason);
        CHECK(report.status == FactorStatus::success);
        CHECK(report.place.on_device);
        count_t levels = 0;
        for (const PlantedColumn& planted : columns) levels += planted.levels;
        CHECK(report.pivots.delayed == levels);
        CHECK(report.pivots.largest_l <= 100 * (1 + 10 * epsilon<T>()));
        if (!report.pivots.inertia) return;
        CHECK(report.pivots.inertia->negative == static_cast<count_t>(columns.size()));
        CHECK(report.pivots.inertia->zero == 0);
    }

    void check_on_cores(const SparseMatrix<T>& a, const std::vector<PlantedColumn>& columns) const {
        const auto analysis = remapped(*planted_.analysed().analysis, {"one subtree", 16, planted_.order()});
        const FactorReport report = factored(analysis, a, FactorPlace::tasks).report();
        count_t levels = 0;
        for (const PlantedColumn& planted : columns) levels += planted.levels;
        CHECK(report.pivots.delayed == levels);
    }

    const Planted& planted_;
    const Cut cut_;
    const PiecesAgain<T> again_;
    const LimitedRoom limited_;
    index_t checked_ = 0, still_in_pieces_ = 0, most_kept_ = 0;
};

template <class T>
void check_each_piece(Factorization kind, Symmetry symmetry) {
    CAPTURE(static_cast<int>(kind));
    // 12 leaves, 3 middle fronts and a root of 36 columns, of which a diagonal block has 32.
    const PlantedBroom<T> broom({3, 4, 12, 4, 3}, kind, symmetry);
    REQUIRE(broom.analysed().analysis->tree.front_count() == 16);
    const Cut cut = nearest_cut(cuts_of<T>(broom.analysed().analysis), 8);
    REQUIRE(cut.pieces >= 6);
    FailingPieces<T, PlantedBroom<T>> pieces(broom, cut);
    std::vector<PlantedColumn> of_leaves;  // others have the same partner
    for (const gpu::TreePiece& piece : pieces.pieces()) {
        CAPTURE(piece.first_front);
        const PlantedColumn column = broom.column_in(piece);
        pieces.check({column});
        if (column.levels == 2) of_leaves.push_back(column);
    }
    REQUIRE(of_leaves.size() > 1);
    pieces.check(of_leaves);
    pieces.check_most_in_pieces();
    CHECK(pieces.most_kept() > cut.pieces / 2);
}

/// In every third of its pieces.
template <class T>
void check_grid(const PlantedGrid<T>& grid, const Cut& cut,
                const std::vector<gpu::Device>& devices = {gpu::first_device().value()}) {
    CAPTURE(cut.factors_on_host);
    REQUIRE(cut.pieces >= 6);
    FailingPieces<T, PlantedGrid<T>> pieces(grid, cut, devices);
    REQUIRE(static_cast<index_t>(pieces.pieces().size()) == cut.pieces);
    for (std::size_t p = 0; p < pieces.pieces().size(); p += 3)
        if (const std::optional<PlantedColumn> column = grid.column_in(pieces.pieces()[p])) {
            CAPTURE(p);
            pieces.check({*column});
        }
    CHECK(pieces.most_kept() > cut.pieces / 2);
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

template <class T>
static void check_each_piece() {
    check_each_piece<T>(Factorization::lu, Symmetry::general);
    check_each_piece<T>(Factorization::ldlt, Symmetry::symmetric);
    if (is_complex<T>) check_each_piece<T>(Factorization::ldlh, Symmetry::hermitian);
}
FROND_LONG_DEVICE_CASES("a pivot that fails in each piece in turn", check_each_piece, DoubleScalars);

template <class T>
static void check_pieces_of_grid() {
    const PlantedGrid<T> grid(size_here(16, 14));
    const std::vector<Cut> cuts = cuts_of<T>(grid.analysed().analysis);
    check_grid(grid, nearest_cut(cuts, 12));
    const auto to_host =
        std::find_if(cuts.begin(), cuts.end(), [](const Cut& cut) { return cut.factors_on_host && cut.pieces >= 6; });
    REQUIRE(to_host != cuts.end());
    check_grid(grid, *to_host);
}
FROND_LONG_DEVICE_CASES("a pivot that fails in each piece of a grid", check_pieces_of_grid, DoubleScalars);

/// Each of them has the blocks of its pieces in rooms of their own, so that none is gone.
template <class T>
static void check_pieces_of_devices() {
    const ForcedSharing sharing(3);
    const PlantedGrid<T> grid(size_here(12, 9));
    const Cut all{detail::room_for_tree(gpu::first_device().value())};
    const PiecesAgain<T> planned(grid.analysed().analysis, all, gpu::devices());
    check_grid(grid, {all.room_bytes, static_cast<index_t>(planned.pieces().size())}, gpu::devices());
}
FROND_LONG_DEVICE_CASES("a pivot that fails in each piece of several devices", check_pieces_of_devices, DoubleScalars);

TEST_SUITE_END();
