// SPDX-License-Identifier: BSD-3-Clause
#include "analyze_parts.hpp"
#include "base/on_threads.hpp"
#include "frond/analysis/counted_factors.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace frond {
namespace {

/// By vertices of graph_to_order; explicit zeros count as absent. Empty where nobody asks.
template <class T>
std::vector<std::uint8_t> without_diagonal(const SparseMatrix<T>& a, const MatchedMatrix& matched, Factorization kind) {
    if (kind == Factorization::llt) return {};
    const std::vector<index_t>& column_of_row = matched.column_of_row;
    std::vector<std::uint8_t> without(at(a.cols()), 1);
    const auto see = [&](index_t i, index_t j) {
        if ((column_of_row.empty() ? i : column_of_row[at(i)]) == j) without[at(i)] = 0;
    };
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e) {
            if (a.value[at(e)] == T(0)) continue;
            see(a.pattern.row[at(e)], j);
            if (a.symmetry != Symmetry::general) see(j, a.pattern.row[at(e)]);
        }
    return without;
}

}  // namespace

namespace {

/// Where no value is known yet, as before the first assembly, each entry counts as 1: what is then matched is the pattern.
template <class T>
std::optional<SparseMatrix<T>> with_ones(const SparseMatrix<T>& a) {
    if (a.value.empty() || std::any_of(a.value.begin(), a.value.end(), [](T x) { return x != T(0); })) return {};
    return SparseMatrix<T>{a.pattern, std::vector<T>(a.value.size(), T(1)), a.symmetry};
}

}  // namespace

template <class T>
AnalysisResult analyze(const SparseMatrix<T>& a, const AnalysisOptions& options) {
    return analyze_observed(a, options, [](const CountedTree&, Factorization) {});
}

template <class T>
AnalysisResult analyze_observed(const SparseMatrix<T>& a, const AnalysisOptions& options,
                                const std::function<void(const CountedTree&, Factorization)>& observe) try {
    const Stopwatch total;
    const auto result = std::make_shared<Analysis>();
    Analysis& analysis = *result;
    analysis.options = options;
    describe_matrix(a, options, analysis);
    const Factorization kind = analysis.factorization;

    const std::optional<SparseMatrix<T>> ones = with_ones(a);
    MatchedMatrix matched = match_matrix(ones ? *ones : a, options, analysis);

    const Pattern graph = graph_to_order(a.pattern, matched);
    CountedTree elimination = order_vertices(graph, matched, options, analysis);
    observe(elimination, kind);

    const Stopwatch symbolic;
    std::vector<index_t> order;
    analysis.tree =
        build_assembly_tree(graph, std::move(elimination), matched.partner, kind, options, order,
                            &analysis.report.supernodes_before_amalgamation, without_diagonal(a, matched, kind));
    set_permutations(order, matched, analysis);
    follow_tree(analysis, a.pattern, threads_for(options.threads, a.entries()));
    analysis.report.symbolic_seconds = symbolic.seconds();

    const bool scaled_by_matching = matched.scaling.method == ScalingMethod::matching;
    Scaling scaling;
    if (!ones) scaling = scaled_by_matching ? std::move(matched.scaling) : compute_scaling(a, analysis);
    analysis.report.seconds = total.seconds();
    return {result, std::move(scaling), !ones};
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T)                                                                    \
    template AnalysisResult analyze<T>(const SparseMatrix<T>&, const AnalysisOptions&);         \
    template AnalysisResult analyze_observed<T>(const SparseMatrix<T>&, const AnalysisOptions&, \
                                                const std::function<void(const CountedTree&, Factorization)>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

void set_cost(Analysis& analysis, CostModel cost) {
    analysis.cost = std::move(cost);
    analysis.report.factorization = analysis.factorization;
    analysis.report.flops = analysis.cost.flops;
}

void follow_tree(Analysis& analysis, const Pattern& a, index_t threads) {
    FROND_EXPECTS(a.cols == analysis.order && a.entries() == analysis.entries,
                  "the pattern is not that of the matrix that was analysed");
    analysis.entry_map = map_entries(a, analysis.symmetry, analysis.row_order, analysis.column_order, analysis.tree,
                                     analysis.factorization, threads);
    cost_and_map(analysis);
}

void cost_and_map(Analysis& analysis) {
    set_cost(analysis, predict_costs(analysis.tree, analysis.factorization));
    analysis.mapping =
        map_tree(analysis.tree, analysis.cost, analysis.factorization, analysis.pair_with_next, analysis.options);
}

}  // namespace frond
