// SPDX-License-Identifier: BSD-3-Clause
// Pivots that fail in one piece of a tree on the device, in each piece in turn, and in all pieces with
// leaves at once.
#include "cut_trees.hpp"
#include "needs_device.hpp"
#include "planted_broom.hpp"
#include "scalar_lists.hpp"
#include "watched_tasks.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Factored in pieces, with so much room, as if it were the first time.
template <class T>
class FailingPieces {
public:
    FailingPieces(const PlantedBroom<T>& broom, const Cut& cut) : broom_(broom), cut_(cut), limited_(cut.room_bytes) {}

    void check(const std::vector<PlantedColumn>& columns) {
        const SparseMatrix<T> a = broom_.with(columns), twice = doubled(a);
        const auto analysis = std::make_shared<const Analysis>(*broom_.analysed().analysis);
        const WatchedTasks first("factor_piece");
        const Factors<T> factors = factored(analysis, a);
        const count_t submitted = first.submitted();
        check_report(factors.report(), columns);
        CHECK(submitted >= cut_.pieces + kept().pieces);  // all of them again: docs/decisions/0037
        const RhsBlock<T> x = unrefined(factors);
        // The next one begins with what the first one found, although a solve may have taken the memory of fronts.
        const Factors<T> next = factored(analysis, twice);
        CHECK(first.submitted() - submitted == kept().pieces);
        ++checked_;
        still_in_pieces_ += kept().pieces > 1 ? 1 : 0;
        check_report(next.report(), columns);
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

private:
    Factors<T> factored(const std::shared_ptr<const Analysis>& analysis, const SparseMatrix<T>& a,
                        FactorPlace place = FactorPlace::automatic) const {
        FactorOptions options;
        options.place = place;
        return factorize(device_session(), analysis, a, options, &broom_.analysed().scaling);
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
        const auto analysis = remapped(*broom_.analysed().analysis, {"one subtree", 16, broom_.order()});
        const FactorReport report = factored(analysis, a, FactorPlace::tasks).report();
        count_t levels = 0;
        for (const PlantedColumn& planted : columns) levels += planted.levels;
        CHECK(report.pivots.delayed == levels);
    }

    const PlantedBroom<T>& broom_;
    const Cut& cut_;
    const LimitedRoom limited_;
    index_t checked_ = 0, still_in_pieces_ = 0;
};

template <class T>
void check_each_piece(Factorization kind, Symmetry symmetry) {
    CAPTURE(static_cast<int>(kind));
    // 12 leaves, 3 middle fronts and a root of 36 columns, of which a diagonal block has 32.
    const PlantedBroom<T> broom({3, 4, 12, 4, 3}, kind, symmetry);
    REQUIRE(broom.analysed().analysis->tree.front_count() == 16);
    const Cut cut = nearest_cut(cuts_of<T>(broom.analysed().analysis, broom.sound().pattern), 8);
    REQUIRE(cut.pieces >= 6);
    FailingPieces<T> pieces(broom, cut);
    std::vector<PlantedColumn> of_leaves;  // others have the same partner
    for (const gpu::TreePiece& piece : pieces_of<T>(broom.analysed().analysis, broom.sound().pattern, cut)) {
        CAPTURE(piece.first_front);
        const PlantedColumn column = broom.column_in(piece);
        pieces.check({column});
        if (column.levels == 2) of_leaves.push_back(column);
    }
    REQUIRE(of_leaves.size() > 1);
    pieces.check(of_leaves);
    pieces.check_most_in_pieces();
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("a pivot that fails in each piece in turn", T, each_piece) {
    check_each_piece<T>(Factorization::lu, Symmetry::general);
    check_each_piece<T>(Factorization::ldlt, Symmetry::symmetric);
    if (is_complex<T>) check_each_piece<T>(Factorization::ldlh, Symmetry::hermitian);
}
TEST_CASE_TEMPLATE_APPLY(each_piece, DoubleScalars);

TEST_SUITE_END();
