// SPDX-License-Identifier: BSD-3-Clause
#include "front_with_failed_pivots.hpp"

#include "../second_pass/counted_vector.hpp"
#include "../scalar.hpp"
#include "frond/base/instantiate.hpp"

#include <algorithm>
#include <numeric>

namespace frond::cpu {
namespace {

/// All columns of a front as one block for the second pass:
///   columns: own, then those of each child; rows of a: the same (LU: their own lists), then C.
template <class T>
class FrontWithFailedPivotsAssembly {
    using FromChild = typename DelayedStack<T>::FromChild;

public:
    FrontWithFailedPivotsAssembly(const AssemblyTree& tree, Factorization kind, const Front& front,
                                  const std::vector<FromChild>& children, MemoryAccount* account)
        : tree_(tree), kind_(kind), npiv_(front.npiv), ncb_(front.ncb()) {
        list_positions(front, children);
        const count_t height = static_cast<count_t>(rows_()) + ncb_;
        columns_.ncb = ncb_;
        columns_.a = counted_vector<T>(height * columns_.cols(), account);
        a_ = {columns_.a.data(), static_cast<index_t>(height), columns_.cols(), static_cast<index_t>(height)};
        if (kind != Factorization::lu) return;
        columns_.b = counted_vector<T>(static_cast<count_t>(rows_()) * ncb_, account);
        b_ = {columns_.b.data(), rows_(), ncb_, rows_()};
    }

    SecondPassColumns<T> assemble(const FrontBlocks<T>& blocks, const std::vector<FromChild>& children) {
        add_own(blocks);
        index_t row = npiv_, column = npiv_;
        for (const FromChild& from : children) {
            if (kind_ == Factorization::lu)
                add_child_full(from, row, column);
            else
                add_child_lower(from, column);
            row += from.columns.rows();
            column += from.columns.cols();
        }
        return std::move(columns_);
    }

private:
    index_t rows_() const { return columns_.rows(); }

    void list_positions(const Front& front, const std::vector<FromChild>& children) {
        std::vector<index_t>&rows = columns_.row_position, &cols = columns_.column_position;
        cols.resize(static_cast<std::size_t>(npiv_));
        std::iota(cols.begin(), cols.end(), front.first_column);
        rows = cols;
        for (const FromChild& from : children) {
            rows.insert(rows.end(), from.columns.row_position.begin(), from.columns.row_position.end());
            cols.insert(cols.end(), from.columns.column_position.begin(), from.columns.column_position.end());
        }
    }

    void add_own(const FrontBlocks<T>& blocks) const {
        for (index_t j = 0; j < npiv_; ++j) {
            const index_t first = kind_ == Factorization::lu ? 0 : j;
            std::copy_n(&blocks.panel(first, j), npiv_ - first, &a_(first, j));
            std::copy_n(&blocks.panel(npiv_, j), ncb_, &a_(rows_(), j));
        }
        if (kind_ != Factorization::lu) return;
        for (index_t j = 0; j < ncb_; ++j) std::copy_n(blocks.upper.column(j), npiv_, b_.column(j));
    }

    const index_t* relative_rows(const FromChild& from) const {
        const Front& child = tree_.fronts[static_cast<std::size_t>(from.child)];
        return tree_.relative_rows.data() + child.rows_begin;
    }

    /// Row of a that the front's local row p is.
    index_t row_of(index_t p) const { return p < npiv_ ? p : rows_() + p - npiv_; }

    /// A delayed column j at a's column c: its entry in the parent's own column p lies in the upper
    /// triangle, A(p, c), and is stored mirrored: A(c, p), conjugated when Hermitian.
    void add_child_lower(const FromChild& from, index_t column) const {
        const DelayedColumns<T>& d = from.columns;
        const index_t n = d.cols();
        const index_t* local = relative_rows(from);
        for (index_t j = 0; j < n; ++j) {
            const T* source = d.columns.data() + static_cast<count_t>(j) * (n + d.ncb);
            const index_t c = column + j;
            std::copy_n(source + j, n - j, &a_(c, c));
            for (index_t r = 0; r < d.ncb; ++r) {
                const T value = source[n + r];
                if (local[r] < npiv_)
                    a_(c, local[r]) = conjugate_if(kind_ == Factorization::ldlh, value);
                else
                    a_(row_of(local[r]), c) = value;
            }
        }
    }

    void add_child_full(const FromChild& from, index_t row, index_t column) const {
        const DelayedColumns<T>& d = from.columns;
        const index_t m = d.rows();
        const index_t* local = relative_rows(from);
        for (index_t j = 0; j < d.cols(); ++j) {
            const T* source = d.columns.data() + static_cast<count_t>(j) * (m + d.ncb);
            std::copy_n(source, m, &a_(row, column + j));
            for (index_t r = 0; r < d.ncb; ++r) a_(row_of(local[r]), column + j) = source[m + r];
        }
        for (index_t r = 0; r < d.ncb; ++r) {
            const T* source = d.row_part.data() + static_cast<count_t>(r) * m;
            const index_t p = local[r];
            std::copy_n(source, m, p < npiv_ ? &a_(row, p) : &b_(row, p - npiv_));
        }
    }

    const AssemblyTree& tree_;
    Factorization kind_;
    index_t npiv_, ncb_;
    SecondPassColumns<T> columns_;
    DenseView<T> a_, b_;
};

/// The columns of front f with those that its children delayed, which are freed.
template <class T>
SecondPassColumns<T> assemble_front_with_failed_pivots(const AssemblyTree& tree, Factorization kind, index_t f,
                                                       const FrontBlocks<T>& blocks, DelayedStack<T>& delayed,
                                                       MemoryAccount* account) {
    auto children = delayed.take(f, tree);
    const Front& front = tree.fronts[static_cast<std::size_t>(f)];
    SecondPassColumns<T> columns =
        FrontWithFailedPivotsAssembly<T>(tree, kind, front, children, account).assemble(blocks, children);
    for (auto& from : children) {
        free_counted(from.columns.columns, account);
        free_counted(from.columns.row_part, account);
    }
    return columns;
}

}  // namespace

template <class T>
void eliminate_front_with_failed_pivots(const AssemblyTree& tree, Factorization kind, index_t f, bool is_subtree_root,
                                        const FrontBlocks<T>& blocks, const PivotRule& rule, DelayedStack<T>& delayed,
                                        SubtreeSecondPasses<T>& second_passes, PivotReport& report,
                                        MemoryAccount* account) {
    const Front& front = tree.fronts[static_cast<std::size_t>(f)];
    SecondPassColumns<T> columns = assemble_front_with_failed_pivots<T>(tree, kind, f, blocks, delayed, account);
    second_passes.fronts.emplace_back();
    second_passes.fronts.back().front = f;
    SecondPass<T>& second_pass = second_passes.fronts.back().second_pass;
    second_pass.npiv = front.npiv;
    DelayedColumns<T> to_parent;
    run_second_pass(kind, front.parent < 0, std::move(columns), rule, second_pass, to_parent, report, account);
    update_contribution(kind, second_pass, 0, 0, kind != Factorization::lu, blocks.contribution, account);
    if (to_parent.empty()) return;
    if (is_subtree_root)
        second_passes.delayed = std::move(to_parent);
    else
        delayed.push(f, std::move(to_parent));
}

template <class T>
void fill_identity(Factorization kind, const FrontBlocks<T>& blocks, index_t* perm) {
    const index_t npiv = blocks.panel.cols;
    for (index_t k = 0; k < npiv; ++k) {
        std::fill_n(blocks.panel.column(k), blocks.panel.rows, T(0));
        blocks.panel(k, k) = T(1);
        perm[k] = k;
        if (kind == Factorization::lu) continue;
        blocks.pivots[2 * k] = T(1);
        blocks.pivots[2 * k + 1] = T(0);
    }
    for (index_t j = 0; j < blocks.upper.cols; ++j) std::fill_n(blocks.upper.column(j), blocks.upper.rows, T(0));
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template void eliminate_front_with_failed_pivots<T>(const AssemblyTree&, Factorization, index_t, bool,         \
                                                        const FrontBlocks<T>&, const PivotRule&, DelayedStack<T>&, \
                                                        SubtreeSecondPasses<T>&, PivotReport&, MemoryAccount*);    \
    template void fill_identity<T>(Factorization, const FrontBlocks<T>&, index_t*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
