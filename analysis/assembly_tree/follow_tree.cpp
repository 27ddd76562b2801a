// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

namespace frond {

void follow_tree(Analysis& analysis, const Pattern& a, index_t threads) {
    FROND_EXPECTS(a.cols == analysis.order && a.entries() == analysis.entries,
                  "the pattern is not that of the matrix that was analysed");
    analysis.entry_map = map_entries(a, analysis.symmetry, analysis.row_order, analysis.column_order, analysis.tree,
                                     analysis.factorization, threads);
    cost_and_map(analysis);
}

void cost_and_map(Analysis& analysis) {
    analysis.cost = predict_costs(analysis.tree, analysis.factorization);
    analysis.mapping =
        map_tree(analysis.tree, analysis.cost, analysis.factorization, analysis.pair_with_next, analysis.options);
}

}  // namespace frond
