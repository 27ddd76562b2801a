// SPDX-License-Identifier: BSD-3-Clause
#include "refine.hpp"

#include <algorithm>

namespace frond::dissection {
namespace {

Side opposite(Side side) { return side == left ? right : left; }

/// weight[v] less that of the neighbours on the other side: what the separator loses when v leaves.
index_t gain_of(const Graph& graph, const Partition& partition, index_t v, Side to) {
    const Side from = opposite(to);
    index_t gain = graph.weight[v];
    for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p)
        if (partition.side[graph.row[p]] == from) gain -= graph.weight[graph.row[p]];
    return gain;
}

/// A pass ends when it has gone so far without success, sooner when the separator has swollen.
bool gives_up(std::size_t idle_moves, double cost_now, double best_cost, std::size_t patience) {
    return idle_moves > 3 * patience || (idle_moves > patience && cost_now > 1.1 * best_cost);
}

}  // namespace

void SeparatorRefiner::refine(const Graph& graph, Partition& partition, const RefinementLimits& limits) {
    queue_.reserve_vertices(graph.size());
    Side to = partition.weight[left] < partition.weight[right] ? left : right;
    bool improved_before = true;
    for (int i = 0; i < 2 * limits.passes; ++i) {
        const bool improved = pass(graph, partition, to, limits);
        if (!improved && !improved_before) break;
        improved_before = improved;
        to = opposite(to);
    }
}

bool SeparatorRefiner::pass(const Graph& graph, Partition& partition, Side to, const RefinementLimits& limits) {
    moves_.clear();
    pulled_.clear();
    for (const index_t v : partition.separator_vertices) queue_.push(v, gain_of(graph, partition, v, to));
    const auto patience = std::min<std::size_t>(2 * partition.separator_vertices.size(), limits.patience);
    const double first_cost = cost(partition);
    double best_cost = first_cost;
    std::size_t kept = 0;
    while (!queue_.empty()) {
        const index_t v = queue_.top();
        queue_.pop();
        if (partition.weight[to] + graph.weight[v] > limits.heaviest_side) continue;
        move(graph, partition, v, to);
        const double cost_now = cost(partition);
        if (cost_now < best_cost) {
            best_cost = cost_now;
            kept = moves_.size();
        } else if (gives_up(moves_.size() - kept, cost_now, best_cost, patience)) {
            break;
        }
    }
    queue_.clear();
    undo_to(graph, partition, to, kept);
    list_separator(partition);
    return best_cost < first_cost;
}

void SeparatorRefiner::move(const Graph& graph, Partition& partition, index_t v, Side to) {
    const Side from = opposite(to);
    partition.side[v] = to;
    partition.weight[to] += graph.weight[v];
    partition.weight[separator] -= graph.weight[v];
    for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p)
        if (partition.side[graph.row[p]] == from) pull(graph, partition, graph.row[p], to);
    moves_.push_back({v, static_cast<index_t>(pulled_.size())});
}

/// u comes into the separator and stays a candidate; its neighbours there gain.
void SeparatorRefiner::pull(const Graph& graph, Partition& partition, index_t u, Side to) {
    const Side from = opposite(to);
    const index_t weight = graph.weight[u];
    partition.side[u] = separator;
    partition.weight[from] -= weight;
    partition.weight[separator] += weight;
    pulled_.push_back(u);
    index_t gain = weight;
    for (count_t p = graph.begin[u]; p < graph.begin[u + 1]; ++p) {
        const index_t k = graph.row[p];
        if (partition.side[k] == from)
            gain -= graph.weight[k];
        else if (partition.side[k] == separator && queue_.holds(k))
            queue_.raise(k, weight);
    }
    queue_.push(u, gain);
}

void SeparatorRefiner::undo_to(const Graph& graph, Partition& partition, Side to, std::size_t kept) {
    const Side from = opposite(to);
    for (std::size_t m = moves_.size(); m-- > kept;) {
        const index_t v = moves_[m].vertex;
        const index_t first = m == 0 ? 0 : moves_[m - 1].pulled_end;
        for (index_t k = first; k < moves_[m].pulled_end; ++k) {
            partition.side[pulled_[k]] = from;
            partition.weight[from] += graph.weight[pulled_[k]];
            partition.weight[separator] -= graph.weight[pulled_[k]];
        }
        partition.side[v] = separator;
        partition.weight[to] -= graph.weight[v];
        partition.weight[separator] += graph.weight[v];
    }
    pulled_.resize(kept == 0 ? 0 : static_cast<std::size_t>(moves_[kept - 1].pulled_end));
}

/// A vertex is pulled once at most and was not in the list before.
void SeparatorRefiner::list_separator(Partition& partition) {
    auto& list = partition.separator_vertices;
    list.insert(list.end(), pulled_.begin(), pulled_.end());
    std::erase_if(list, [&](index_t v) { return partition.side[v] != separator; });
}

}  // namespace frond::dissection
