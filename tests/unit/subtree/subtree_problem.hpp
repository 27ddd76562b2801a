// SPDX-License-Identifier: BSD-3-Clause
// A matrix, its simple analysis and the buffers of one subtree, each of exactly the promised size
// between guard values, poisoned before use.
#pragma once

#include "counting_account.hpp"
#include "dense_oracle.hpp"
#include "frond/cpu/subtree.hpp"
#include "random_sparse.hpp"
#include "simple_analysis.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace frond::test {

/// `size` scalars (NaN; -7 for indices) between 64 guards on either side.
template <class T>
class GuardedBuffer {
public:
    explicit GuardedBuffer(count_t size) : size_(static_cast<std::size_t>(size)), data_(size_ + 2 * margin, guard()) {
        std::fill_n(data(), size, poison());
    }

    T* data() { return data_.data() + margin; }

    std::size_t size() const { return size_; }

    bool intact() const {
        for (std::size_t i = 0; i < margin; ++i)
            if (data_[i] != guard() || data_[margin + size_ + i] != guard()) return false;
        return true;
    }

private:
    static constexpr std::size_t margin = 64;

    static T guard() { return T(123); }

    static T poison() {
        if constexpr (std::is_integral_v<T>)
            return T(-7);
        else
            return T(std::numeric_limits<real_t<T>>::quiet_NaN());
    }

    std::size_t size_;
    std::vector<T> data_;
};

inline Subtree subtree_at(const AssemblyTree& tree, index_t root) {
    return {tree.first_descendant[static_cast<std::size_t>(root)], root, 0, 0, 0};
}

inline Subtree whole_tree(const AssemblyTree& tree) { return {0, tree.front_count() - 1, 0, 0, 0}; }

/// As cpu::factor_subtree.
template <class T>
using SubtreeKernel = std::function<void(const Analysis&, const Subtree&, const T* entries, const PivotRule&, T* factor,
                                         index_t* perm, DenseView<T> contribution, T* arena, cpu::StopFlags stop,
                                         cpu::SubtreeSecondPasses<T>*, PivotReport&, cpu::MemoryAccount*)>;

template <class T>
class FactoredSubtree {
public:
    FactoredSubtree(const SparseMatrix<T>& a, const Analysis& analysis, const Subtree& subtree,
                    const PivotRule& rule = {}, cpu::StopFlags stop = {},
                    const SubtreeKernel<T>& kernel = cpu::factor_subtree<T>)
        : analysis_(analysis),
          subtree_(subtree),
          ncb_(analysis.tree.fronts[static_cast<std::size_t>(subtree.root_front)].ncb()),
          columns_(count_columns()),
          factor_(cpu::subtree_factor_scalars(analysis.tree, subtree, analysis.factorization)),
          perm_(columns_),
          contribution_(static_cast<count_t>(ncb_) * ncb_) {
        GuardedBuffer<T> arena(cpu::subtree_arena_scalars(analysis.tree, subtree, analysis.factorization));
        const std::vector<T> entries = map_values(a, analysis.entry_map);
        kernel(analysis, subtree, entries.data(), rule, factor_.data(), perm_.data(), contribution(), arena.data(),
               stop, &second_passes, report, &account_);
        if (!stop.any()) CHECK(account_.used_bytes() == second_passes.bytes());
        intact_ = arena.intact();
    }

    index_t columns() const { return columns_; }

    index_t ncb() const { return ncb_; }

    DenseView<T> contribution() { return {contribution_.data(), ncb_, ncb_, ncb_ > 0 ? ncb_ : 1}; }

    T* factor() { return factor_.data(); }

    index_t* perm() { return perm_.data(); }

    /// No buffer was written outside its promised size, so far.
    bool intact() const { return intact_ && factor_.intact() && perm_.intact() && contribution_.intact(); }

    void forward(Operation op, DenseView<T> x, DenseView<T> y) {
        GuardedBuffer<T> arena(cpu::subtree_solve_scalars(analysis_.tree, subtree_, x.cols));
        cpu::forward_subtree<T>(analysis_, subtree_, op, factor(), perm(), &second_passes, x, y, arena.data());
        intact_ = intact_ && arena.intact();
    }

    void diagonal(Operation op, DenseView<T> x) {
        cpu::diagonal_subtree<T>(analysis_, subtree_, op, factor(), &second_passes, x);
    }

    void backward(Operation op, DenseView<T> x, DenseView<const T> y) {
        GuardedBuffer<T> arena(cpu::subtree_solve_scalars(analysis_.tree, subtree_, x.cols));
        cpu::backward_subtree<T>(analysis_, subtree_, op, factor(), perm(), &second_passes, x, y, arena.data());
        intact_ = intact_ && arena.intact();
    }

    PivotReport report;
    cpu::SubtreeSecondPasses<T> second_passes;  // empty when rule.threshold = 0

private:
    index_t count_columns() const {
        const auto& fronts = analysis_.tree.fronts;
        const Front& root = fronts[static_cast<std::size_t>(subtree_.root_front)];
        return root.first_column + root.npiv - fronts[static_cast<std::size_t>(subtree_.first_front)].first_column;
    }

    CountingAccount account_;
    const Analysis& analysis_;
    Subtree subtree_;
    index_t ncb_;
    index_t columns_;
    GuardedBuffer<T> factor_;
    GuardedBuffer<index_t> perm_;
    GuardedBuffer<T> contribution_;
    bool intact_ = true;
};

/// Columns m x n of random values with ld = m + 3.
template <class T>
struct RandomBlock {
    RandomBlock(index_t m, index_t n, std::uint64_t seed)
        : values(static_cast<std::size_t>((m + 3) * n)), view{values.data(), m, n, m + 3} {
        Random random(seed);
        for (T& v : values) v = random.value<T>();
    }

    RandomBlock(const RandomBlock&) = delete;
    RandomBlock& operator=(const RandomBlock&) = delete;

    std::vector<T> values;
    DenseView<T> view;
};

/// A kind of factorization with a matrix it can take.
struct KindCase {
    Factorization kind;
    Symmetry symmetry;
    const char* name;
};

template <class T>
std::vector<KindCase> kind_cases() {
    std::vector<KindCase> cases = {
        {Factorization::lu, Symmetry::general, "lu"},
        {Factorization::lu, Symmetry::symmetric, "lu of a symmetric matrix"},
        {Factorization::llt, Symmetry::hermitian, "llt"},
        {Factorization::ldlt, Symmetry::symmetric, "ldlt"},
        {Factorization::ldlh, Symmetry::hermitian, "ldlh"},
    };
    if (!is_complex<T>) cases.push_back({Factorization::llt, Symmetry::symmetric, "llt, symmetric"});
    return cases;
}

/// A diagonally dominant matrix for the case; for LDL^T and LDL^H every third diagonal entry is
/// negated.
template <class T>
SparseMatrix<T> dominant_matrix(const KindCase& c, index_t grid, std::uint64_t seed) {
    SparseMatrix<T> a = random_grid<T>(grid, c.symmetry, true, seed);
    if (c.kind != Factorization::ldlt && c.kind != Factorization::ldlh) return a;
    for (index_t j = 0; j < a.cols(); j += 3)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            if (a.pattern.row[static_cast<std::size_t>(e)] == j)
                a.value[static_cast<std::size_t>(e)] = -a.value[static_cast<std::size_t>(e)];
    return a;
}

}  // namespace frond::test
