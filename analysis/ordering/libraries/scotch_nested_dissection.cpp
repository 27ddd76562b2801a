// SPDX-License-Identifier: BSD-3-Clause
// Pellegrini, Roman & Amestoy 2000, "Hybridizing nested dissection and halo approximate minimum
// degree for efficient sparse matrix ordering", through Scotch 7.
#include "../subgraph.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"

#include <cstdint>
#include <cstdio>
#include <limits>
#include <scotch.h>
#include <string>

namespace frond {
namespace {

void check(int status, const char* call, index_t n) {
    if (status != 0)
        throw RuntimeError(std::string("Scotch failed in ") + call + " for " + std::to_string(n) +
                           " vertices (its message is on the error stream); free memory or choose "
                           "another ordering");
}

/// Scotch repeats a result for the same number of threads only, so that number is fixed.
constexpr int scotch_threads = 2;

/// Threads, a fixed seed, deterministic algorithms.
class Context {
public:
    explicit Context(index_t n) {
        check(SCOTCH_contextInit(&context_), "SCOTCH_contextInit", n);
        try {
            check(SCOTCH_contextThreadSpawn(&context_, scotch_threads, nullptr), "SCOTCH_contextThreadSpawn", n);
            set(SCOTCH_OPTIONNUMDETERMINISTIC, 1, n);
            set(SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1, n);
            check(SCOTCH_contextRandomClone(&context_), "SCOTCH_contextRandomClone", n);
            SCOTCH_contextRandomSeed(&context_, 1);
        } catch (...) {
            SCOTCH_contextExit(&context_);
            throw;
        }
    }

    ~Context() { SCOTCH_contextExit(&context_); }

    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    SCOTCH_Context* get() { return &context_; }

private:
    void set(int option, SCOTCH_Num value, index_t n) {
        check(SCOTCH_contextOptionSetNum(&context_, option, value), "SCOTCH_contextOptionSetNum", n);
    }

    SCOTCH_Context context_;
};

class Graph {
public:
    explicit Graph(index_t n) { check(SCOTCH_graphInit(&graph_), "SCOTCH_graphInit", n); }

    ~Graph() { SCOTCH_graphExit(&graph_); }

    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    SCOTCH_Graph* get() { return &graph_; }

private:
    SCOTCH_Graph graph_;
};

class Strategy {
public:
    explicit Strategy(index_t n) { check(SCOTCH_stratInit(&strategy_), "SCOTCH_stratInit", n); }

    ~Strategy() { SCOTCH_stratExit(&strategy_); }

    Strategy(const Strategy&) = delete;
    Strategy& operator=(const Strategy&) = delete;

    SCOTCH_Strat* get() { return &strategy_; }

private:
    SCOTCH_Strat strategy_;
};

/// Nested dissection down to parts of 120 vertices, which halo approximate minimum degree orders;
/// separators by multilevel with refinement in a band of width 3 (Chevalier & Pellegrini 2008).
/// Compression has been done before.
constexpr const char* ordering_strategy =
    "n{sep=/(vert>120)?m{vert=100,low=h{pass=10},"
    "asc=b{width=3,bnd=f{bal=0.2},org=(|h{pass=10})f{bal=0.2}}}"
    "|m{vert=100,low=h{pass=10},asc=b{width=3,bnd=f{bal=0.2},org=(|h{pass=10})f{bal=0.2}}};,"
    "ole=f{cmin=15,cmax=100000,frat=0.0},ose=g}";

std::vector<index_t> order_connected_by_scotch(const Pattern& graph, const std::vector<index_t>& weight) {
    const index_t n = graph.cols;
    FROND_EXPECTS(graph.entries() <= std::numeric_limits<SCOTCH_Num>::max() / 2,
                  "the graph has " + std::to_string(graph.entries()) + " entries, Scotch takes at most " +
                      std::to_string(std::numeric_limits<SCOTCH_Num>::max() / 2) + "; choose the ordering `amd`");
    const std::vector<SCOTCH_Num> begin(graph.begin.begin(), graph.begin.end());
    const std::vector<SCOTCH_Num> row(graph.row.begin(), graph.row.end());
    const std::vector<SCOTCH_Num> weights(weight.begin(), weight.end());
    std::vector<SCOTCH_Num> order(weight.size());

    Context context(n);
    Strategy strategy(n);
    check(SCOTCH_stratGraphOrder(strategy.get(), ordering_strategy), "SCOTCH_stratGraphOrder", n);
    Graph plain(n);
    check(SCOTCH_graphBuild(plain.get(), 0, n, begin.data(), nullptr, weights.data(), nullptr,
                            static_cast<SCOTCH_Num>(row.size()), row.data(), nullptr),
          "SCOTCH_graphBuild", n);
    Graph bound(n);
    check(SCOTCH_contextBindGraph(context.get(), plain.get(), bound.get()), "SCOTCH_contextBindGraph", n);
    check(SCOTCH_graphOrder(bound.get(), strategy.get(), nullptr, order.data(), nullptr, nullptr, nullptr),
          "SCOTCH_graphOrder", n);
    return {order.begin(), order.end()};
}

}  // namespace

std::vector<index_t> scotch_nested_dissection(const Pattern& graph, const std::vector<index_t>& weight) {
    return order_by_component(graph, weight, order_connected_by_scotch);
}

// Chevalier & Pellegrini 2008, "PT-Scotch: a tool for efficient parallel graph ordering", through
// whoever has processes for it.

namespace {

/// Fewer vertices are not worth the messages: Scotch orders them in this process.
constexpr index_t least_vertices_for_processes = 1000;

}  // namespace

DistributedOrdering& expect_distributed_ordering() {
    DistributedOrdering* const ordering = DistributedOrdering::of_this_thread();
    if (ordering == nullptr)
        throw InvalidArgument(
            "the ordering `ptscotch` is for several processes, and this session has no communicator; start the program "
            "by mpirun, or set SessionOptions::communicator; in one process take `nested_dissection` or `scotch`");
    ordering->expect_available();
    return *ordering;
}

std::vector<index_t> ptscotch_nested_dissection(const Pattern& graph, const std::vector<index_t>& weight) {
    DistributedOrdering& processes = expect_distributed_ordering();
    return order_by_component(graph, weight, [&](const Pattern& part, const std::vector<index_t>& part_weight) {
        if (part.cols < least_vertices_for_processes) return scotch_nested_dissection(part, part_weight);
        return processes.order(part, part_weight);
    });
}

}  // namespace frond
