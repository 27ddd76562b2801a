// SPDX-License-Identifier: BSD-3-Clause
// The steps of the analysis, one function each, in the order in which analyze() calls them.
// Headings name the folder of analysis/ that has them.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond {

// --- scaling/ -------------------------------------------------------------------------------

/// Maximum-product matching (Duff & Koster 2001; MC64 job 5) by shortest augmenting paths.
/// a: square pattern, both triangles; magnitude [entries] = |a_ij| as double (zeros allowed, never matched).
/// Structurally singular: a matching of largest cardinality; the bound on scaled entries still holds.
/// Scales are positive and finite: exponents that would leave [-1000, 1000] are cut there.
struct Matching {
    std::vector<index_t> row_of_column;  // [n] matched row, or -1
    index_t structural_rank = 0;
    std::vector<double> row_scale;  // [n] 2^dual: |r_i a_ij c_j| <= 1, = 1 on the matching
    std::vector<double> column_scale;  // [n]
};
Matching maximum_product_matching(const Pattern& a, const std::vector<double>& magnitude);

/// The same for a symmetric (Hermitian) matrix, with row_scale == column_scale. Structurally
/// singular: of the largest structurally nonsingular A(I, I), so that matched entries scale to 1;
/// rows outside I scale to a largest entry of 1 (Duff & Pralet 2005, section 2).
Matching symmetric_maximum_product_matching(const Pattern& a, const std::vector<double>& magnitude);

/// Columns and rows of A, ascending, that one matching of largest cardinality leaves out: none when A is
/// structurally nonsingular, or was not matched.
struct UnmatchedPart {
    std::vector<index_t> columns;
    std::vector<index_t> rows;
};
/// What no matching of the values of a reaches: a may have zeros where the analysed values had none, and vice versa.
/// The matching of the analysis answers in O(entries) where it still is a largest one; else a matching is found.
template <class T>
UnmatchedPart unmatched_part(const SparseMatrix<T>& a, const Analysis& analysis);

/// s_i = sqrt(r_i c_i): |s_i a_ij s_j| <= 1 for a symmetric matrix (Duff & Pralet 2005, section 2).
std::vector<double> symmetric_scale(const Matching& matching);

/// 1x1 and 2x2 pivot candidates from a matching of a symmetric matrix (Duff & Pralet 2005):
/// partner[i] = j for a pair {i, j}, = i for a 1x1 candidate. A pair is never made of two rows whose
/// scaled diagonal entries are at least 0.1: either is then a 1x1 pivot of its own.
std::vector<index_t> symmetric_pairs(const Pattern& a, const std::vector<double>& magnitude, const Matching& matching);

/// Whether a matching is worth its time and, for LU, the symmetry of the pattern that it costs.
/// a: canonical (lower triangle when symmetry is not general), magnitude [entries]. Always false
/// for LL^T; for LDL^T true when rows lack a usable diagonal entry; for LU likewise.
bool matching_pays(const Pattern& a, const std::vector<double>& magnitude, Symmetry symmetry, Factorization kind);
template <class T>
bool matching_pays(const SparseMatrix<T>& a, Factorization kind);

/// Ruiz equilibration in the inf-norm then the 1-norm (Ruiz 2001). a: both triangles.
/// symmetric: row == column on exit. Rows and columns of zeros scale to 1.
Scaling equilibrate(const Pattern& a, const std::vector<double>& magnitude, bool symmetric);

/// Within 16 of each other: what equilibration would change is then at most a factor of 4 a row; and in
/// [1 / range, range]. Zeros do not count.
bool are_norms_alike(std::span<const double> norms, double range);

/// Entries of such sizes are far enough from the ends of the scalar's range for all that elimination makes of them.
template <class T>
constexpr double safe_range = sizeof(real_t<T>) == sizeof(double) ? 0x1p500 : 0x1p60;

/// Each scale rounded to the nearest power of two, so that scaling adds no rounding.
void round_to_powers_of_two(std::vector<double>& scale);

/// Scales that span more than 2^100: unknowns so far apart that a null pivot can no longer be told from
/// one of full size. An automatic scaling by matching then gives way to equilibration.
bool spans_too_much(const std::vector<double>& scale);

// --- describe_matrix.cpp --------------------------------------------------------------------

/// The factorization that is carried out: what `automatic` stands for, else the one asked for.
/// @throws InvalidMatrix  a matrix of this symmetry has none of that kind
Factorization kind_for(Factorization asked, Symmetry symmetry, bool complex_scalar, bool definite_possible);

// --- ordering/ ------------------------------------------------------------------------------

/// Graphs are Patterns with both triangles and no diagonal.
/// Groups of vertices ordered as one. vertex v of the input lies in group_of[v]; members listed per group.
struct CompressedGraph {
    Pattern graph;  // of the groups
    std::vector<index_t> weight;  // [groups] vertices in the group
    std::vector<count_t> member_begin;  // [groups + 1]
    std::vector<index_t> member;  // [n]
};
/// Merges indistinguishable vertices (same closed neighbourhood) and, first, the given pairs
/// (partner as symmetric_pairs returns it; empty: none).
CompressedGraph compress_graph(const Pattern& graph, const std::vector<index_t>& partner);

/// Elimination order of the groups by one method: order[k] = group eliminated k-th.
std::vector<index_t> approximate_minimum_degree(const Pattern& graph, const std::vector<index_t>& weight);
/// What the first two depths of separators of a connected graph say of it; sums of the vertices' weights.
struct FirstSeparators {
    index_t vertices = 0;
    count_t entries = 0;  // of the graph
    count_t weight = 0;  // of all vertices
    count_t first = 0;  // separator of the whole
    std::array<count_t, 2> side = {0, 0};  // what it separates
    std::array<count_t, 2> second = {0, 0};  // the sides' separators; 0 where a side was too small for one
};
/// Whether a connected graph is worth more separators than those; where it is not, AMD orders it. It is asked on
/// the calling thread. Empty: always.
using DissectionAdvice = std::function<bool(const FirstSeparators&)>;

/// Orders by our own multilevel separators, on threads; the result does not depend on their number.
std::vector<index_t> nested_dissection(const Pattern& graph, const std::vector<index_t>& weight, index_t threads,
                                       const DissectionAdvice& advice = {});
std::vector<index_t> metis_nested_dissection(const Pattern& graph, const std::vector<index_t>& weight);
std::vector<index_t> scotch_nested_dissection(const Pattern& graph, const std::vector<index_t>& weight);
/// Orders by the DistributedOrdering of the calling thread. @throws InvalidArgument  there is none
std::vector<index_t> ptscotch_nested_dissection(const Pattern& graph, const std::vector<index_t>& weight);
/// An order of the uncompressed grid: order[k] = unknown eliminated k-th.
std::vector<index_t> geometric_nested_dissection(std::array<index_t, 3> grid, index_t dofs);

/// order, its inverse and the elimination tree, renumbered so that the tree is postordered.
struct PostorderedTree {
    std::vector<index_t> order;  // [n] vertex at each position
    std::vector<index_t> position;  // [n] its inverse
    std::vector<index_t> parent;  // [n] by position, -1 at roots
};

/// An elimination tree and the entries of each column of L, its diagonal included.
struct CountedTree {
    PostorderedTree tree;
    std::vector<index_t> count;  // [n] by position
};

/// Order of the n columns by options.ordering; `automatic` compares candidates by predicted time.
struct OrderingResult {
    std::vector<index_t> order;  // [n] order[k] = vertex eliminated k-th; pairs adjacent
    CountedTree elimination;  // of that order, which it may renumber
    OrderingMethod method = OrderingMethod::automatic;
    std::vector<OrderingCandidate> candidates;
    index_t compressed_vertices = 0;
    MachineDescription machine;  // that times were predicted for
};
OrderingResult choose_ordering(const Pattern& graph, const std::vector<index_t>& partner, Factorization kind,
                               const AnalysisOptions& options);

// --- symbolic/ ------------------------------------------------------------------------------

/// parent[j] = min{ i > j : l_ij != 0 }, -1 at roots (Liu 1990), of the graph permuted by `order`.
/// Positions, not vertices: parent[k] for the vertex order[k].
std::vector<index_t> elimination_tree(const Pattern& graph, const std::vector<index_t>& order);

/// Postorder of a forest: post[k] = node visited k-th; children in ascending order.
std::vector<index_t> postorder(const std::vector<index_t>& parent);

/// Entries of each column of L, diagonal included (Gilbert, Ng & Peyton 1994). The tree must be
/// postordered (parent[k] > k, subtrees contiguous).
std::vector<index_t> column_counts(const Pattern& graph, const std::vector<index_t>& order,
                                   const std::vector<index_t>& parent);

/// Entries of L and flops of the factorization for an order that need not be postordered.
/// weight (may be empty) gives the vertices in each group of a compressed graph.
struct FillEstimate {
    double flops = 0;  // real operations for `kind`
    count_t factor_entries = 0;  // of L (of L and U for LU)
    count_t pivot_path = 0;  // columns on the longest path to a root
};
FillEstimate estimate_fill(const Pattern& graph, const std::vector<index_t>& weight, const std::vector<index_t>& order,
                           Factorization kind);

// --- symbolic/, placement/ ------------------------------------------------------------------

/// Tree from a postordered elimination order; `order` is reordered in place where the assembly
/// order of children (Liu 1986) or amalgamation asks for it. pair_with_next as in Analysis; pairs are
/// never split between fronts.
AssemblyTree build_assembly_tree(const Pattern& graph, std::vector<index_t>& order, const std::vector<index_t>& partner,
                                 Factorization kind, const AnalysisOptions& options,
                                 index_t* supernodes_before_amalgamation = nullptr);
/// The assembly tree from the elimination tree of an order in which pairs are adjacent; `order` is set.
/// without_diagonal [n]: vertices with nothing on the diagonal; empty: not known.
AssemblyTree build_assembly_tree(const Pattern& graph, CountedTree elimination, const std::vector<index_t>& partner,
                                 Factorization kind, const AnalysisOptions& options, std::vector<index_t>& order,
                                 index_t* supernodes_before_amalgamation = nullptr,
                                 const std::vector<std::uint8_t>& without_diagonal = {});

/// Local positions of all entries of A (canonical pattern) in their fronts.
EntryMap map_entries(const Pattern& a, Symmetry symmetry, const std::vector<index_t>& row_order,
                     const std::vector<index_t>& column_order, const AssemblyTree& tree, Factorization kind,
                     index_t threads = 1);

/// A tree that was made of another one by moving rows and columns up.
struct MovedTree {
    const AssemblyTree &before, &tree;
    std::vector<index_t>
        front_before;  // [fronts of tree] the one with the same rows and columns in the same order; -1: none
    const std::vector<index_t>&row_position, &column_position;  // [n] new ones
};
/// The same for such a tree, made of the map before. O(entries), most of which are copied.
EntryMap move_entries(const EntryMap& given, const MovedTree& moved, Factorization kind, index_t threads = 1);

CostModel predict_costs(const AssemblyTree& tree, Factorization kind);
/// cost, and what the report says of it.
void set_cost(Analysis& analysis, CostModel cost);

/// Subtrees that become one task and tile grids of the rest (docs/factorization.md).
/// Adds the parallel peak to cost.
Mapping map_tree(const AssemblyTree& tree, CostModel& cost, Factorization kind,
                 const std::vector<std::uint8_t>& pair_with_next, const AnalysisOptions& options);

/// A tree of one front, or of none, on tiles whatever its order.
Mapping map_one_front(const AssemblyTree& tree, const CostModel& cost, const AnalysisOptions& options);

/// Entry map, costs and mapping of analysis.tree with its permutations.
/// @pre a is the pattern of the matrix that was analysed
void follow_tree(Analysis& analysis, const Pattern& a, index_t threads = 1);
/// The same where there is an entry map.
void cost_and_map(Analysis& analysis);

/// Real operations of the partial factorization of npiv columns of a front of order nfront.
double front_flops(count_t npiv, count_t nfront, Factorization kind);

}  // namespace frond
