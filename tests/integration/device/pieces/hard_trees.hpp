// SPDX-License-Identifier: BSD-3-Clause
// Systems with hard pivots in each of many subtrees, so that their trees can be cut into pieces.
#pragma once

#include "singular_systems.hpp"
#include "trouble_systems.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace frond::test {

template <class T>
struct HardTree {
    std::string name;
    SparseMatrix<T> matrix;
    Factorization kind = Factorization::lu;
    OrderingMethod ordering = OrderingMethod::natural;
};

/// Blocks along the diagonal that are coupled with each other only by `border` unknowns behind them.
template <class T>
class BorderedBlocks {
public:
    BorderedBlocks(index_t blocks, index_t border, Symmetry symmetry)
        : count_(blocks), border_(border), symmetry_(symmetry) {}

    /// make(number of the block)
    SparseMatrix<T> matrix(const std::function<SparseMatrix<T>(index_t)>& make, bool definite = false) const {
        std::vector<SparseMatrix<T>> blocks;
        index_t inner = 0;
        for (index_t b = 0; b < count_; ++b) inner += blocks.emplace_back(make(b)).rows();
        SystemBuilder<T> a(inner + border_, symmetry_);
        index_t first = 0;
        Random random(41);
        for (const SparseMatrix<T>& block : blocks) {
            add(block, first, a);
            for (index_t k = 0; k < couplings_of_block; ++k)
                a.couple(inner + random.below(border_), first + random.below(block.rows()), random.value<T>());
            first += block.rows();
        }
        for (index_t j = inner; j < inner + border_; ++j) a.set(j, j, real_scalar<T>(j % 2 == 0 ? 9 : -9));
        if (definite) a.dominate();
        return a.matrix();
    }

private:
    static constexpr index_t couplings_of_block = 3;

    static void add(const SparseMatrix<T>& block, index_t first, SystemBuilder<T>& a) {
        for (index_t j = 0; j < block.cols(); ++j)
            for (count_t e = block.pattern.begin[static_cast<std::size_t>(j)];
                 e < block.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
                a.set(first + block.pattern.row[static_cast<std::size_t>(e)], first + j,
                      block.value[static_cast<std::size_t>(e)]);
    }

    index_t count_, border_;
    Symmetry symmetry_;
};

/// With trouble in some blocks: where more than a quarter of the pivots fail, no device tries to mend that.
template <class T>
std::vector<HardTree<T>> hard_trees(Symmetry symmetry) {
    const Factorization kind = kind_of<T>(symmetry);
    const BorderedBlocks<T> bordered(24, 4, symmetry);
    std::vector<HardTree<T>> all;
    const auto seed = [](index_t b) { return static_cast<std::uint64_t>(b) + 1; };
    const auto add = [&](const char* name, const std::function<SparseMatrix<T>(index_t)>& make) {
        const auto some = [&](index_t b) {
            return b % 6 == 1 ? make(b) : constant_diagonal<T>(9, 2, 6, symmetry, seed(b));
        };
        all.push_back({name, bordered.matrix(some), kind});
    };
    add("zero diagonals", [&](index_t b) { return constant_diagonal<T>(9, 2, 0, symmetry, seed(b)); });
    add("tiny diagonals", [&](index_t b) { return constant_diagonal<T>(8, 1, 1e-12, symmetry, seed(b)); });
    add("graded saddle points", [&](index_t b) { return graded<T>(saddle_point<T>(4, 1, symmetry, seed(b)), 5); });
    if (symmetry == Symmetry::general)
        add("permuted diagonals", [&](index_t b) { return permuted_diagonal<T>(8, 1, seed(b)); });
    all.push_back({"zero diagonals, ordered", all.front().matrix, kind, OrderingMethod::automatic});
    return all;
}

/// Two of its columns are null.
template <class T>
HardTree<T> singular_tree(Symmetry symmetry) {
    const auto make = [&](index_t b) {
        return b == 5 ? rank_deficient<T>(10, 8, false, symmetry, 5)
                      : saddle_point<T>(4, 1, symmetry, static_cast<std::uint64_t>(b) + 1);
    };
    return {"a singular block", BorderedBlocks<T>(12, 4, symmetry).matrix(make), kind_of<T>(symmetry)};
}

template <class T>
HardTree<T> definite_tree() {
    const Symmetry symmetry = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
    const BorderedBlocks<T> bordered(24, 4, symmetry);
    const auto make = [&](index_t b) {
        return constant_diagonal<T>(9, 2, 0, symmetry, static_cast<std::uint64_t>(b) + 1);
    };
    return {"definite", bordered.matrix(make, true), Factorization::llt};
}

}  // namespace frond::test
