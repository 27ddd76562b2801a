// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/analysis_by_ranks.hpp"

#include <chrono>
#include <utility>

#include "frond/analysis/distributed_steps.hpp"
#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/distributed/columns_by_ranks.hpp"
#include "ranked/distributed/graph_of_rows.hpp"
#include "ranked/distributed/rows_by_ranks.hpp"
#include "ranked/tree/factor_command.hpp"
#include "ranked/tree/sharing.hpp"
#include "ranked/whole_matrix.hpp"
#include "ranks/collectively.hpp"
#include "ranks/message.hpp"

namespace frond::detail {
namespace {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void expect_possible(const Communicator& ranks, const AnalysisOptions& options) {
    const bool is_asked_for = options.distributed_analysis == DistributedAnalysis::on;
    const std::string what = is_asked_for ? "distributed_analysis: "
                                          : "A does not fit into the memory of rank 0, and the analysis by all ranks "
                                            "cannot do what is asked for: ";
    const std::string cure = is_asked_for ? "; or take `distributed_analysis` = `off`"
                                          : "; or give rank 0 a larger budget, or a machine with more memory";
    const auto refuse = [&](const std::string& why) { throw InvalidArgument(what + why + cure); };
    if (!ranks.orders_graphs())
        refuse(
            "libfrond_mpi was built without PT-Scotch: build Frond anew where its static libraries are (Debian: "
            "libptscotch-dev)");
    if (options.ordering != OrderingMethod::automatic && options.ordering != OrderingMethod::ptscotch)
        refuse("the graph is ordered by PT-Scotch: leave `ordering` at automatic or ptscotch");
    if (options.matching == MatchingMode::on || options.scaling == ScalingMethod::matching)
        refuse(
            "nothing is matched, since that needs the whole matrix on one rank: leave `matching` at automatic or off, "
            "and `scaling` at automatic, equilibrate or none");
}

/// Rank 0 chooses: each rank knows the rows of different fronts, so that their choices could differ.
std::shared_ptr<const RankMapping> mapping_of_rank_0(Communicator& ranks, const Analysis& part,
                                                     const RankMachine& machine, const MessageRule& rule) {
    std::vector<std::byte> bytes;
    broadcast_made(ranks, bytes, 0, [&] {
        Packer pack;
        const std::vector<index_t> grids = packed_grids(map_tree(part, machine, rule));
        pack(grids);
        bytes = pack.bytes();
    });
    std::shared_ptr<const RankMapping> mapping;
    collectively(ranks, [&] {
        Unpacker unpack(bytes);
        std::vector<index_t> grids;
        unpack(grids);
        mapping = std::make_shared<const RankMapping>(
            mapping_of_grids(part.tree, part.mapping, unpacked_grids(grids), ranks.size()));
    });
    return mapping;
}

SubtreesOfRanks subtrees_of_mapping(const Mapping& mapping, const RankMapping& ranks) {
    SubtreesOfRanks dealt;
    dealt.subtree = mapping.subtrees;
    for (const Subtree& s : mapping.subtrees) dealt.rank.push_back(ranks.grid[at(s.root_front)].rank.front());
    return dealt;
}

/// Begins a part of the analysis, without the order and all that follows from it.
std::shared_ptr<Analysis> begin_part(Communicator& ranks, const BlockPattern& pattern, const MatrixFacts& facts,
                                     const AnalysisOptions& options) {
    auto part = std::make_shared<Analysis>();
    part->order = pattern.cuts.order();
    part->entries = canonical_entries(ranks, pattern);
    part->symmetry = pattern.symmetry;
    part->factorization = facts.kind;
    part->positive_diagonal = facts.positive_diagonal;
    part->options = options;
    part->options.user_order.clear();
    AnalysisReport& report = part->report;
    report.ordering = OrderingMethod::ptscotch;
    report.structural_rank = part->order;
    report.distributed = true;
    report.machine = options.machine;
    return part;
}

/// Tree, order and costs. Returns the position of each column.
std::vector<index_t> take_fronts(CountedTree columns, const AnalysisOptions& options, Analysis& part) {
    FrontsOfColumns fronts = fronts_of_columns(std::move(columns), part.factorization, options);
    part.report.supernodes_before_amalgamation = fronts.supernodes_before_amalgamation;
    part.tree = std::move(fronts.tree);
    part.row_order = part.column_order = std::move(fronts.order);
    set_cost(part, predict_costs(part.tree, part.factorization));
    std::vector<index_t> position(part.row_order.size());
    for (std::size_t k = 0; k < position.size(); ++k) position[at(part.row_order[k])] = static_cast<index_t>(k);
    return position;
}

}  // namespace

AnalysisOfRanks analyze_by_ranks(Communicator& ranks, const BlockPattern& pattern, const MatrixFacts& facts,
                                 const AnalysisOptions& options, const RankMachine& machine, count_t scalar_bytes) {
    const Stopwatch all;
    collectively(
        ranks, [&] { expect_possible(ranks, options); }, NameRank::no);
    const std::shared_ptr<Analysis> part = begin_part(ranks, pattern, facts, options);
    AnalysisReport& report = part->report;
    const GraphPart graph = graph_of_rows(ranks, pattern);
    CountedTree columns = columns_by_ranks(ranks, pattern.cuts, graph, report.compressed_vertices);
    report.ordering_seconds = all.seconds();
    std::vector<index_t> position;
    SubtreesOfRanks dealt;
    collectively(ranks, [&] {
        position = take_fronts(std::move(columns), options, *part);
        dealt = deal_subtrees(part->tree, subtrees_of(part->tree, part->cost, facts.kind, options), ranks.size());
    });
    list_rows_by_ranks(ranks, pattern.cuts, graph, position, dealt, part->tree);
    AnalysisOfRanks result;
    collectively(ranks, [&] { part->mapping = map_tree(part->tree, part->cost, facts.kind, {}, options); });
    const MessageRule rule{facts.kind, facts.kind != Factorization::llt, scalar_bytes, false};
    result.mapping = mapping_of_rank_0(ranks, *part, machine, rule);
    move_rows(ranks, dealt, subtrees_of_mapping(part->mapping, *result.mapping), part->tree);
    result.route = std::make_shared<const EntryRoute>(EntryRoute::with_map(ranks, pattern, *result.mapping, *part));
    report.seconds = all.seconds();
    report.symbolic_seconds = report.seconds - report.ordering_seconds;
    result.part = part;
    return result;
}

}  // namespace frond::detail
