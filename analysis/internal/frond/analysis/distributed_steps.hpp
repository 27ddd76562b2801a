// SPDX-License-Identifier: BSD-3-Clause
// Steps of an analysis whose graph several processes have, each some of its rows. They know no MPI: who calls them brings
// the results of the processes together.
#pragma once

#include "frond/analysis/steps.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace frond {

/// Some rows of a graph by elimination position: column k of the pattern lists the neighbours j < k of the vertex at
/// position k, if that is one of the vertices given; the other columns are empty.
/// vertex [rows]; begin [rows + 1], neighbour: both triangles, no diagonal; position [n]. O(n + entries).
Pattern rows_by_position(std::span<const index_t> vertex, std::span<const count_t> begin,
                         std::span<const index_t> neighbour, const std::vector<index_t>& position);

/// The elimination tree of those rows alone; parent[k] by position. O(n + entries log n).
std::vector<index_t> elimination_tree_of_rows(const Pattern& rows);

/// The elimination tree of the union of two graphs from the trees of both, in the same order. A tree has the connected
/// components that its graph has among the first k vertices, for every k, and these are all that the tree of a union
/// depends on. O(n log n).
std::vector<index_t> merged_elimination_trees(const std::vector<index_t>& a, const std::vector<index_t>& b);

/// Numbers positions anew so that the tree is postordered. order: vertex at each position.
PostorderedTree postordered(const std::vector<index_t>& order, std::vector<index_t> parent);

/// What some rows of L add to delta, see column_counts.cpp; [n] by position. Those of all rows are summed over the
/// processes. @pre tree is postordered
std::vector<count_t> deltas_of_rows(const Pattern& rows, const PostorderedTree& tree);
/// count of CountedTree, from the sum of them.
std::vector<index_t> counts_of_deltas(const std::vector<count_t>& delta, const PostorderedTree& tree);

/// Fronts with their children, and the order of their columns; nothing is known of their rows.
/// `tree` is that of build_assembly_tree where amalgamation is by predicted time and no pairs are to be kept together, but
/// leaves are not merged with each other, which needs the graph.
struct FrontsOfColumns {
    AssemblyTree tree;
    std::vector<index_t> order;
    index_t supernodes_before_amalgamation = 0;
};
FrontsOfColumns fronts_of_columns(CountedTree elimination, Factorization kind, const AnalysisOptions& options);

/// Not one rank's part of an analysis, which serves with those of the others alone; a part may have no entries at all.
inline bool is_whole(const Analysis& analysis) { return analysis.entries == 0 || !analysis.entry_map.source.empty(); }

/// The front of each column; [n].
std::vector<index_t> front_of_columns(const AssemblyTree& tree);

/// The subtrees of map_tree, for which rows need not be known.
std::vector<Subtree> subtrees_of(const AssemblyTree& tree, const CostModel& cost, Factorization kind,
                                 const AnalysisOptions& options);

/// Appends to tree.rows those of the fronts named, which are ascending: what `columns` [n] lists of their columns, and the
/// rows of their children, which are listed before.
void list_rows_of(std::span<const index_t> fronts, const Pattern& columns, AssemblyTree& tree);
/// relative_rows of the fronts that are listed, and whose parents are; of the others they are 0. listed [fronts].
void list_relative_rows(const std::vector<bool>& listed, AssemblyTree& tree);

// An ordering by several processes, as the analysis asks for it. It knows no MPI.

/// Nested dissection by processes that the thread of an analysis may call upon.
class DistributedOrdering {
public:
    DistributedOrdering() = default;
    DistributedOrdering(const DistributedOrdering&) = delete;
    DistributedOrdering& operator=(const DistributedOrdering&) = delete;

    /// The ordering of the calling thread; null: it has no other processes.
    static DistributedOrdering*& of_this_thread() noexcept {
        thread_local DistributedOrdering* ordering = nullptr;
        return ordering;
    }

    /// @throws InvalidArgument  these processes cannot order graphs, and why
    virtual void expect_available() const = 0;
    /// order[k] = vertex eliminated k-th. The graph has both triangles and no diagonal.
    virtual std::vector<index_t> order(const Pattern& graph, const std::vector<index_t>& weight) = 0;

protected:
    ~DistributedOrdering() = default;
};

/// The ordering of the calling thread, if it can order. @throws InvalidArgument  there is none
DistributedOrdering& expect_distributed_ordering();

}  // namespace frond
