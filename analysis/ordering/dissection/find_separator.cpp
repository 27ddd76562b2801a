// SPDX-License-Identifier: BSD-3-Clause
#include "refine.hpp"

#include <algorithm>
#include <utility>

namespace frond::dissection {
namespace {

/// The cheaper one; what breaks the limit on the sides comes last.
bool is_better(const Partition& a, const Partition& b, count_t heaviest_side) {
    const auto excess = [&](const Partition& p) {
        return std::max<count_t>(0, std::max(p.weight[left], p.weight[right]) - heaviest_side);
    };
    return excess(a) != excess(b) ? excess(a) < excess(b) : cost(a) < cost(b);
}

/// Breadth-first growth from a random vertex until half of the weight is reached.
void grow_left(const Graph& graph, Partition& partition, Random& random) {
    const index_t n = graph.size();
    std::vector<index_t> queue;
    std::vector<bool> reached(static_cast<std::size_t>(n), false);
    index_t next_start = random.below(n);
    std::size_t head = 0;
    while (2 * partition.weight[left] < graph.total_weight) {
        if (head == queue.size()) {
            while (reached[next_start]) next_start = next_start + 1 == n ? 0 : next_start + 1;
            reached[next_start] = true;
            queue.push_back(next_start);
        }
        const index_t v = queue[head++];
        partition.side[v] = left;
        partition.weight[left] += graph.weight[v];
        for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p)
            if (!reached[graph.row[p]]) {
                reached[graph.row[p]] = true;
                queue.push_back(graph.row[p]);
            }
    }
    partition.weight[right] = graph.total_weight - partition.weight[left];
}

/// The right side's vertices next to the left side become the separator.
void separate_boundary(const Graph& graph, Partition& partition) {
    for (index_t v = 0; v < graph.size(); ++v) {
        if (partition.side[v] != right) continue;
        for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p)
            if (partition.side[graph.row[p]] == left) {
                partition.side[v] = separator;
                partition.weight[right] -= graph.weight[v];
                partition.weight[separator] += graph.weight[v];
                partition.separator_vertices.push_back(v);
                break;
            }
    }
}

class Multilevel {
public:
    Multilevel(const SeparatorEffort& effort, const Graph& finest, Random& random, SeparatorRefiner& refiner)
        : effort_(effort), random_(random), refiner_(refiner) {
        limits_.heaviest_side =
            static_cast<count_t>(effort.heaviest_side_share * static_cast<double>(finest.total_weight));
        heaviest_vertex_ = std::max<count_t>(1, 3 * finest.total_weight / (2 * effort.coarsest_size));
    }

    Partition separate(const Graph& graph, int restarts, Random* shuffle) {
        if (graph.size() <= effort_.coarsest_size) return first_cut(graph);
        if (restarts > 1 && graph.size() <= effort_.restart_size) return best_of(graph, restarts);
        const Coarsening coarsening = coarsen(graph, heaviest_vertex_, shuffle);
        if (coarsening.graph.size() > 0.95 * graph.size()) return first_cut(graph);
        Partition partition = project(coarsening, separate(coarsening.graph, restarts, shuffle));
        refiner_.refine(graph, partition, limits_);
        return partition;
    }

private:
    Partition best_of(const Graph& graph, int restarts) {
        Partition best = separate(graph, 1, nullptr);
        for (int i = 1; i < restarts; ++i) {
            Partition other = separate(graph, 1, &random_);
            if (is_better(other, best, limits_.heaviest_side)) best = std::move(other);
        }
        return best;
    }

    Partition first_cut(const Graph& graph) {
        Partition best;
        for (int i = 0; i < effort_.first_cuts; ++i) {
            Partition cut;
            cut.side.assign(static_cast<std::size_t>(graph.size()), right);
            grow_left(graph, cut, random_);
            separate_boundary(graph, cut);
            refiner_.refine(graph, cut, limits_);
            if (i == 0 || is_better(cut, best, limits_.heaviest_side)) best = std::move(cut);
        }
        return best;
    }

    static Partition project(const Coarsening& coarsening, const Partition& coarse) {
        Partition fine;
        fine.side.resize(coarsening.coarse_of.size());
        fine.weight = coarse.weight;
        for (std::size_t v = 0; v < fine.side.size(); ++v) {
            fine.side[v] = coarse.side[coarsening.coarse_of[v]];
            if (fine.side[v] == separator) fine.separator_vertices.push_back(static_cast<index_t>(v));
        }
        return fine;
    }

    const SeparatorEffort& effort_;
    Random& random_;
    SeparatorRefiner& refiner_;
    RefinementLimits limits_;
    count_t heaviest_vertex_ = 1;
};

}  // namespace

Partition find_separator(const Graph& graph, const SeparatorEffort& effort, Random& random, SeparatorRefiner& refiner) {
    return Multilevel(effort, graph, random, refiner).separate(graph, effort.restarts, nullptr);
}

}  // namespace frond::dissection
