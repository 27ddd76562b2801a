// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/pivot_record.hpp"

namespace frond {

/// factor_piece of a core: R values of A, W part of the factors, RW pivots (cpu::PiecePivots, whose columns are known before),
/// W room of the contribution block (when the root has one)      a subtree of the mapping, which scales its entries itself
/// It shares the kernel cpu::factor_subtree with the task factor_subtree, and little else, since it works while cards
/// do. The values of A are not scaled, as cards have them; where there are tasks alone, entries are scaled before.
/// Factors go to a part of those of the whole tree, and the pivots apart, which the solve on the card reads. Where a
/// pivot fails, cards factor the tree without cores: so no second pass is kept here, no column goes to a parent, and
/// nothing is counted on an account, which is half of factor_subtree.
/// Where pivots are not good, factors and block mean nothing. Analysis, subtree and scaling are the same for all pieces, and
/// stay as they are.
struct CorePieceArguments : TaskArguments {
    const Analysis* analysis = nullptr;
    const Subtree* subtree = nullptr;
    const Scaling* scaling = nullptr;
    PivotRule rule;
    count_t first_byte = 0;  // of the subtree's chunk in the part
};
template <class T>
starpu_codelet& core_piece_codelet();

}  // namespace frond
