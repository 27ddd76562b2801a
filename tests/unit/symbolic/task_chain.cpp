// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/pieces.hpp"
#include "frond/base/error.hpp"

#include <doctest/doctest.h>

using namespace frond;

namespace {

/// Fronts 0 and 1 below front 2.
AssemblyTree tree_of_three() {
    AssemblyTree tree;
    for (const index_t parent : {2, 2, -1}) {
        Front front;
        front.parent = parent;
        tree.fronts.push_back(front);
    }
    return tree;
}

}  // namespace

TEST_CASE("a chain of tasks: the heaviest subtree, then panels of the front above it") {
    const AssemblyTree tree = tree_of_three();
    Mapping mapping;
    mapping.subtrees = {{0, 0, 10, 0, 0}, {1, 1, 70, 0, 0}};
    mapping.subtree_of_front = {0, 1, -1};
    mapping.grid_of_front = {-1, -1, 0};
    mapping.grids = {{{0, 6, 12, 15}, 2}};
    const double panels = (72 + 216 + 216) + (72 + 108 + 54);  // of order 6 before tiles of 6 and of 3
    CHECK(task_chain_flops(tree, mapping, Factorization::llt) == doctest::Approx(70 + panels));
    CHECK(task_chain_flops(tree, mapping, Factorization::ldlt) == doctest::Approx(70 + panels));
    const double panels_lu = (144 + 216 + 432) + (144 + 108 + 108);
    CHECK(task_chain_flops(tree, mapping, Factorization::lu) == doctest::Approx(70 + panels_lu));
}

TEST_CASE("one subtree is a chain of its own") {
    Mapping mapping;
    mapping.subtrees = {{0, 2, 55, 0, 0}};
    mapping.subtree_of_front = {0, 0, 0};
    mapping.grid_of_front = {-1, -1, -1};
    CHECK(task_chain_flops(tree_of_three(), mapping, Factorization::llt) == 55);
    CHECK_THROWS_AS(task_chain_flops(tree_of_three(), {}, Factorization::llt), InvalidArgument);
    CHECK(task_chain_flops({}, {}, Factorization::llt) == 0);
}
