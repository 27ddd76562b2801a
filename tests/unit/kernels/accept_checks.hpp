// SPDX-License-Identifier: BSD-3-Clause
// A front in tiles, eliminated panel by panel as the tasks do it, put together again and compared.
#pragma once

#include "counting_account.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/failed_columns.hpp"
#include "rank_oracle.hpp"
#include "threshold_checks.hpp"

#include <memory>
#include <numeric>

namespace frond::test {

/// Dense front of own columns in panels, and contribution tiles. Symmetric kinds: lower triangle.
template <class T>
class AcceptedFront {
public:
    using Exact = reference::Matrix<T>;

    /// cuts: tile boundaries 0 .. order; own_tiles of them are panels.
    AcceptedFront(Factorization kind, std::vector<index_t> cuts, index_t own_tiles, bool at_root)
        : kind_(kind),
          cut_(std::move(cuts)),
          own_tiles_(own_tiles),
          at_root_(at_root),
          order_(cut_.back()),
          npiv_(cut_[static_cast<std::size_t>(own_tiles)]),
          a_(order_, order_),
          panel_backup_(order_, order_),
          failed_(npiv_, order_ - npiv_, account_.get()) {}

    bool symmetric() const { return kind_ != Factorization::lu; }

    bool hermitian() const { return kind_ == Factorization::ldlh; }

    index_t order() const { return order_; }

    index_t npiv() const { return npiv_; }

    /// entry(i, j) of the front; symmetric kinds: of i >= j.
    template <class Entry>
    void fill(Entry entry) {
        for (index_t j = 0; j < order_; ++j)
            for (index_t i = symmetric() ? j : 0; i < order_; ++i) {
                a_(i, j) = entry(i, j);
                if (i == j && hermitian()) a_(i, j) = real_part(a_(i, j));
            }
    }

    /// Columns (LU: and more rows) of a child with these rows in the front. Positions of the child's
    /// rows and columns count on from first_delayed_position.
    void hand_in(cpu::DelayedColumns<T>& from, const std::vector<index_t>& rows) {
        account_->take(from.bytes());
        cpu::take_delayed(kind_, from, rows.data(), failed_);
        CHECK(from.empty());
        CHECK(from.bytes() == 0);
        CHECK(account_->used_bytes() == failed_.bytes());
        CHECK(account_->beyond_ensured_bytes() == 0);
    }

    static constexpr index_t first_delayed_position = 100000;

    void remember() {
        handed_in_ = failed_.rows();
        handed_in_columns_ = failed_.cols();
        before_.clear();
        for (index_t s = 0; s < total(); ++s)
            for (index_t t = 0; t < total_columns(); ++t) before_.push_back(initial(s, t));
    }

    void run(const PivotRule& rule) {
        rule_ = rule;
        remember();
        for (index_t k = 0; k < own_tiles_; ++k) panel(k);
        CHECK(account_->used_bytes() == failed_.bytes());
        cpu::eliminate_failed(kind_, at_root_, std::move(failed_), rule, second_pass, delayed, report);
        CHECK(account_->used_bytes() == second_pass.bytes() + delayed.bytes());
        CHECK(account_->beyond_ensured_bytes() == 0);
        for (index_t j = npiv_; j < order_; ++j) {  // one column at a time: any block will do
            const index_t first = symmetric() ? j : npiv_;
            cpu::update_contribution<T>(kind_, second_pass, first - npiv_, j - npiv_, false,
                                        a_.view().block(first, j, order_ - first, 1));
        }
        check();
    }

    /// As cpu::accept_pivots, which it is unless a task is tested.
    using Accept = std::function<index_t(Factorization, const PivotRule&, index_t, cpu::FactoredPanel<T>&,
                                         cpu::FailedColumns<T>&, PivotReport&)>;
    Accept accept = cpu::accept_pivots<T>;
    std::vector<index_t> kept;  // of each panel
    cpu::SecondPass<T> second_pass;
    cpu::DelayedColumns<T> delayed;
    PivotReport report;

private:
    static constexpr index_t delayed_position = first_delayed_position;

    index_t begin(index_t t) const { return cut_[static_cast<std::size_t>(t)]; }

    index_t size(index_t t) const { return begin(t + 1) - begin(t); }

    index_t tiles() const { return static_cast<index_t>(cut_.size()) - 1; }

    index_t total() const { return order_ + handed_in_; }

    index_t total_columns() const { return order_ + handed_in_columns_; }

    DenseView<T> tile(GuardedMatrix<T>& m, index_t i, index_t k) {
        return m.view().block(begin(i), begin(k), size(i), size(k));
    }

    /// Entry of the front with what was handed in as rows and columns order_ ...
    T initial(index_t i, index_t j) {
        const bool row_in = i >= order_, column_in = j >= order_;
        if (!row_in && !column_in) {
            if (!symmetric() || i >= j) return a_(i, j);
            return hermitian() ? conjugate(a_(j, i)) : a_(j, i);
        }
        const index_t p = i - order_, q = j - order_;
        if (row_in && column_in) {
            if (!symmetric() || p >= q) return failed_.square_view()(p, q);
            const T x = failed_.square_view()(q, p);
            return hermitian() ? conjugate(x) : x;
        }
        if (row_in && j < npiv_) return failed_.own_rows_view()(p, j);
        if (!symmetric()) {
            if (row_in) return failed_.right_view()(p, j - npiv_);
            return i < npiv_ ? failed_.own_columns_view()(i, q) : failed_.below_view()(i - npiv_, q);
        }
        if (column_in && i >= npiv_) return failed_.below_view()(i - npiv_, q);
        const T x = initial(j, i);
        return hermitian() ? conjugate(x) : x;
    }

    void panel(index_t k) {
        const index_t n = size(k);
        auto& p = panels_.emplace_back();
        p.perm.resize(static_cast<std::size_t>(n));
        p.pivots.assign(2 * static_cast<std::size_t>(n), T(0));
        p.replaced.assign(static_cast<std::size_t>(n), T(0));
        cpu::FactoredPanel<T> f;
        f.first_column = f.first_position = begin(k);
        f.diagonal = tile(a_, k, k);
        f.perm = p.perm.data();
        f.pivots = p.pivots.data();
        f.replaced = p.replaced.data();
        const index_t limit = factor_and_solve(k, p, f);
        kept.push_back(accept(kind_, rule_, limit, f, failed_, report));
        update(k, f);
    }

    struct Panel {
        std::vector<index_t> perm;
        std::vector<T> pivots, replaced;
    };

    /// The diagonal block and the tiles; the least number of columns that these allow.
    index_t factor_and_solve(index_t k, Panel& p, cpu::FactoredPanel<T>& f) {
        const index_t n = size(k);
        PivotReport unused;
        GuardedWorkspace<T> work(std::max({cpu::factor_ldlt_workspace(n), cpu::factor_lu_workspace(n),
                                           cpu::solve_panel_lu_upper_workspace(n, order_)}));
        if (symmetric())
            cpu::factor_ldlt<T>(f.diagonal, hermitian(), rule_, p.pivots.data(), p.perm.data(), work.data(), unused,
                                p.replaced.data());
        else
            cpu::factor_lu<T>(f.diagonal, rule_, p.perm.data(), work.data(), unused, p.replaced.data());
        index_t limit = n;
        for (index_t i = k + 1; i < tiles(); ++i) {
            auto& t = f.tiles.emplace_back();
            t.begin = begin(i);
            t.left = tile(a_, i, k);
            t.spare = tile(panel_backup_, i, k);
            if (symmetric()) {
                cpu::solve_panel_ldlt<T>(f.diagonal, hermitian(), p.pivots.data(), p.perm.data(), t.left, t.spare);
            } else {
                for (index_t j = 0; j < n; ++j) std::copy_n(t.left.column(j), t.left.rows, t.spare.column(j));
                cpu::solve_panel_lu_lower<T>(f.diagonal, t.left);
                t.upper = tile(a_, k, i);
                cpu::solve_panel_lu_upper<T>(f.diagonal, p.perm.data(), t.upper, work.data());
            }
            limit = std::min(limit, cpu::first_column_above<T>(t.left, 1 / rule_.threshold, report.largest_l));
        }
        CHECK(work.intact());
        return limit;
    }

    /// Whole panels, as the update tasks: what is not kept must have no effect.
    void update(index_t k, const cpu::FactoredPanel<T>& f) {
        for (index_t j = k + 1; j < tiles(); ++j)
            for (index_t i = symmetric() ? j : k + 1; i < tiles(); ++i) {
                const auto& row = f.tiles[static_cast<std::size_t>(i - k - 1)];
                const auto& column = f.tiles[static_cast<std::size_t>(j - k - 1)];
                if (!symmetric())
                    cpu::update_general<T>(row.left, column.upper, tile(a_, i, j));
                else if (i == j)
                    cpu::update_lower<T>(row.left, column.spare, hermitian(), tile(a_, i, j));
                else
                    cpu::update_transposed<T>(row.left, column.spare, hermitian(), tile(a_, i, j));
            }
    }

    // --- the front together again: A(rows, columns) = L M + what is left -------------------------
    // Own rows stand at their positions, then contribution rows, then those handed in.

    index_t index_of(index_t position) const {
        return position < delayed_position ? position : order_ + position - delayed_position;
    }

    index_t tile_of(index_t i) const {
        return static_cast<index_t>(std::upper_bound(cut_.begin(), cut_.end(), i) - cut_.begin()) - 1;
    }

    /// Row of the unfactored front at this place.
    index_t row_before(index_t i) const {
        if (i >= npiv_) return i;
        const index_t k = tile_of(i);
        return begin(k) + panels_[static_cast<std::size_t>(k)].perm[static_cast<std::size_t>(i - begin(k))];
    }

    index_t column_before(index_t j) const { return symmetric() ? row_before(j) : j; }

    /// L(i, s) of a first-pass pivot s, i not handed in.
    T lower(index_t i, index_t s) const {
        const index_t k = tile_of(s), t = tile_of(i);
        if (t < k || (t == k && i < s)) return T(0);
        if (t == k) return i == s ? T(1) : a_(i, s);
        return a_(row_before(i), s);  // rows of later panels are exchanged after this one
    }

    /// U(s, j), j not handed in.
    T upper(index_t s, index_t j) const {
        const index_t k = tile_of(s), t = tile_of(j);
        return t < k || (t == k && j < s) ? T(0) : a_(s, j);
    }

    void add_first_pass(Exact& l, Exact& d, Exact& u, index_t& column) const {
        const auto own_rows = view(second_pass.own_rows, second_pass.rows(), npiv_);
        const auto own_columns = view(second_pass.own_columns, npiv_, second_pass.cols());
        for (index_t k = 0; k < own_tiles_; ++k)
            for (index_t c = 0; c < kept[static_cast<std::size_t>(k)]; ++c, ++column) {
                const index_t s = begin(k) + c;
                for (index_t i = 0; i < order_; ++i) set(l, i, column, lower(i, s));
                for (index_t i = 0; i < second_pass.rows(); ++i)
                    add(l, index_of(second_pass.row_position[at(i)]), column, own_rows(i, s));
                if (symmetric()) {
                    set_pivot(d, column, panels_[static_cast<std::size_t>(k)].pivots.data() + 2 * c);
                    continue;
                }
                set(d, column, column, T(1));
                for (index_t j = 0; j < order_; ++j) set(u, column, j, upper(s, j));
                for (index_t j = 0; j < second_pass.cols(); ++j)
                    add(u, column, index_of(second_pass.column_position[at(j)]), own_columns(s, j));
            }
    }

    void add_second_pass(Exact& l, Exact& d, Exact& u, index_t column) const {
        const index_t m = second_pass.rows(), n = second_pass.cols(), count = second_pass.kept;
        const index_t ncb = order_ - npiv_;
        const auto panel_view = view(second_pass.panel, m + ncb, count);
        const auto upper_view = view(second_pass.upper, count, n - count + ncb);
        for (index_t c = 0; c < count; ++c, ++column) {
            for (index_t i = c; i < m + ncb; ++i) {
                const index_t row = i < m ? index_of(second_pass.row_position[at(i)]) : npiv_ + i - m;
                set(l, row, column, i == c ? T(1) : panel_view(i, c));
            }
            if (symmetric()) {
                set_pivot(d, column, second_pass.pivots.data() + 2 * c);
                continue;
            }
            set(d, column, column, T(1));
            for (index_t j = c; j < n + ncb; ++j) {
                const index_t to = j < n ? index_of(second_pass.column_position[at(j)]) : npiv_ + j - n;
                set(u, column, to, j < count ? panel_view(c, j) : upper_view(c, j - count));
            }
        }
    }

    /// The contribution block and the delayed columns; null rows and columns are 0.
    Exact what_is_left() const {
        Exact rest(total(), total_columns());
        const index_t ncb = order_ - npiv_, rows = delayed.rows(), cols = delayed.cols();
        const index_t first = second_pass.kept + (symmetric() ? second_pass.null_rows : 0);
        for (index_t j = npiv_; j < order_; ++j)
            for (index_t i = npiv_; i < order_; ++i)
                set(rest, i, j, symmetric() && i < j ? mirrored(a_(j, i)) : a_(i, j));
        const auto columns = view(delayed.columns, rows + ncb, cols);
        const auto row_part = view(delayed.row_part, rows, ncb);
        for (index_t j = 0; j < cols; ++j) {
            const index_t to = index_of(delayed.column_position[at(j)]);
            for (index_t i = symmetric() ? j : 0; i < rows + ncb; ++i) {
                // LU hands rows on under other positions: by their place in the second pass.
                const index_t row = i < rows ? index_of(second_pass.row_position[at(first + i)]) : npiv_ + i - rows;
                set(rest, row, to, columns(i, j));
                if (symmetric()) set(rest, to, row, mirrored(columns(i, j)));
            }
        }
        for (index_t r = 0; r < ncb && !symmetric(); ++r)
            for (index_t i = 0; i < rows; ++i)
                set(rest, index_of(second_pass.row_position[at(first + i)]), npiv_ + r, row_part(i, r));
        return rest;
    }

    void check() const {
        const index_t first = std::accumulate(kept.begin(), kept.end(), 0);
        const index_t pivots = first + second_pass.kept;
        Exact l(total(), pivots), d(pivots, pivots), u(pivots, total_columns());
        index_t column = 0;
        add_first_pass(l, d, u, column);
        add_second_pass(l, d, u, column);
        const Exact eliminated = symmetric() ? l * d * l.transposed(hermitian()) : l * u;
        const Exact product = eliminated + what_is_left();
        double largest_entry = 0, largest_l = 0;
        const Exact before = Exact::from(total(), total_columns(), [&](index_t i, index_t j) {
            const T x = before_[at(row_before(i) * total_columns() + column_before(j))];
            largest_entry = std::max(largest_entry, static_cast<double>(std::abs(x)));
            return x;
        });
        for (index_t c = 0; c < pivots; ++c)
            for (index_t i = 0; i < total(); ++i)
                largest_l = std::max(largest_l, static_cast<double>(std::abs(l(i, c))));
        // Columns given back carry the rounding of the elimination that was undone: its terms, with
        // |l| <= 2.78 inside a tile, may be some hundred times A.
        const double undone = 500 * rounding_bound<T>(order_) * largest_entry;
        const std::vector<bool> null = null_places();
        CHECK(unexplained_difference(product, before, rounding_bound<T>(64 * (total() + 1)), [&](index_t i, index_t j) {
                  return !null[static_cast<std::size_t>(i)] && !null[static_cast<std::size_t>(j)];
              }) <= undone);
        CHECK(largest_l <= (is_complex<T> ? 1.4143 : 1) * l_limit<T>(rule_.threshold));
        CHECK(pivots + delayed.cols() + second_pass.null_columns == npiv_ + handed_in_columns_);
        CHECK(report.delayed == delayed.cols());
        if (!symmetric()) return;
        check_null_columns(eliminated, before, undone);
        if (!is_complex<T> || hermitian())
            CHECK(report.negative + report.positive + report.zero == pivots + second_pass.null_columns);
    }

    /// Symmetric kinds: what is not compared, as it is not kept.
    std::vector<bool> null_places() const {
        std::vector<bool> null(static_cast<std::size_t>(std::max(total(), total_columns())));
        for (index_t k = 0; symmetric() && k < second_pass.null_columns; ++k)
            null[static_cast<std::size_t>(index_of(second_pass.column_position[at(second_pass.kept + k)]))] = true;
        return null;
    }

    /// What the pivots leave of the null columns adds nothing to the rank of the delayed columns.
    void check_null_columns(const Exact& eliminated, const Exact& before, double undone) const {
        const index_t first = second_pass.kept, count = second_pass.cols() - first;
        DenseMatrix left(total(), count);
        for (index_t j = 0; j < count; ++j) {
            const index_t column = index_of(second_pass.column_position[at(first + j)]);
            for (index_t i = 0; i < total(); ++i) left(i, j) = Wide(before(i, column) - eliminated(i, column));
        }
        index_t rank = 0;
        for (const double pivot : complete_pivots(left)) rank += pivot > 10 * (rule_.zero_pivot + undone);
        CHECK(rank <= delayed.cols());
    }

    T mirrored(T x) const { return hermitian() ? conjugate(x) : x; }

    static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

    static DenseView<const T> view(const HostVector<T>& block, index_t m, index_t n) {
        return {block.data(), m, n, std::max(m, 1)};
    }

    static void set(Exact& m, index_t i, index_t j, T x) { m.set(i, j, reference::widen<T>(x)); }

    /// One of both is 0: each entry of L and U is kept in one place.
    static void add(Exact& m, index_t i, index_t j, T x) {
        if (x == T(0)) return;
        CHECK(m(i, j) == reference::Wide<T>(0));
        set(m, i, j, x);
    }

    void set_pivot(Exact& d, index_t column, const T* pivot) const {
        set(d, column, column, pivot[0]);
        if (pivot[1] == T(0)) return;
        set(d, column + 1, column, pivot[1]);
        set(d, column, column + 1, mirrored(pivot[1]));
    }

    Factorization kind_;
    std::vector<index_t> cut_;
    index_t own_tiles_;
    bool at_root_;
    index_t order_, npiv_;
    GuardedMatrix<T> a_, panel_backup_;
    std::unique_ptr<CountingAccount> account_ = std::make_unique<CountingAccount>();
    cpu::FailedColumns<T> failed_;
    std::vector<Panel> panels_;
    PivotRule rule_;
    index_t handed_in_ = 0, handed_in_columns_ = 0;
    std::vector<T> before_;
};

}  // namespace frond::test
