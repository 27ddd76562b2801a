// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/assembly_tree.hpp"

namespace frond {

/// How the factor panels of a front inside a subtree lie in the subtree's chunk (offsets in scalars
/// from the start of the front's part, each rounded up to 8 scalars):
///   panel  [nfront, npiv] ld = nfront     L11 (and U11) over L21; lower trapezoid for symmetric kinds
///   upper  [npiv, ncb]    ld = npiv       U12, LU only
///   pivots [2, npiv]                      D of LDL^T / LDL^H: (diagonal, subdiagonal) of each pivot
/// The fronts of a subtree follow each other in postorder.
struct FrontPanels {
    count_t panel = 0;
    count_t upper = 0;
    count_t pivots = 0;
    count_t size = 0;  // scalars of the front's part, rounded up
};

/// D of L D L^T and L D L^H.
constexpr bool has_block_diagonal(Factorization kind) {
    return kind == Factorization::ldlt || kind == Factorization::ldlh;
}

constexpr count_t round_up_8(count_t x) { return (x + 7) / 8 * 8; }

constexpr FrontPanels front_panels(const Front& front, Factorization kind) {
    FrontPanels p;
    const count_t npiv = front.npiv, nfront = front.nfront;
    p.upper = round_up_8(npiv * nfront);
    p.pivots = p.upper + (kind == Factorization::lu ? round_up_8(npiv * (nfront - npiv)) : 0);
    p.size = p.pivots + (has_block_diagonal(kind) ? round_up_8(2 * npiv) : 0);
    return p;
}

}  // namespace frond
