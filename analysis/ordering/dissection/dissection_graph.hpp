// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace frond::dissection {

/// Graph with both triangles and no loops; weights of vertices (how many columns one stands for)
/// and of edges (how many edges of the finest graph one stands for).
struct Graph {
    std::vector<count_t> begin = {0};  // [size + 1]
    std::vector<index_t> row;
    std::vector<index_t> weight;  // [size]
    std::vector<index_t> edge_weight;  // [row.size()]; empty: all one
    count_t total_weight = 0;

    index_t size() const { return static_cast<index_t>(weight.size()); }

    count_t degree(index_t v) const { return begin[v + 1] - begin[v]; }
};

/// The side of a vertex.
enum Side : std::uint8_t { left = 0, right = 1, separator = 2 };

/// Every path from left to right passes through the separator.
struct Partition {
    std::vector<std::uint8_t> side;  // [size] of Side
    std::vector<index_t> separator_vertices;
    std::array<count_t, 3> weight = {0, 0, 0};  // of each side
};

/// |S| (1 + i^2 / 2), i = (|L| - |R|) / (|L| + |R|). Below a separator of n / 2 (1 +- i) vertices
/// the work of a solid grows as 1 + i^2, and it is about half of all, the other half being |S|^3
/// (George 1973): a separator may be larger by i^2 / 3 for its balance. A half keeps a margin.
inline double cost(const Partition& partition) {
    const auto l = static_cast<double>(partition.weight[left]);
    const auto r = static_cast<double>(partition.weight[right]);
    const double imbalance = (l - r) / std::max(1.0, l + r);
    return static_cast<double>(partition.weight[separator]) * (1 + 0.5 * imbalance * imbalance);
}

/// Uniform numbers, the same on every machine (Steele, Lea & Flood 2014, SplitMix64).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    /// 0 .. n-1, n > 0
    index_t below(index_t n) { return static_cast<index_t>((bits() >> 32) * static_cast<std::uint64_t>(n) >> 32); }

private:
    std::uint64_t state_;
};

struct Coarsening {
    Graph graph;
    std::vector<index_t> coarse_of;  // [size of the finer graph]
};

/// Matched vertices become one (heavy edge matching: Karypis & Kumar 1998, section 3.1). No coarse
/// vertex is made heavier than `heaviest`. Vertices look for a mate in their natural order, which
/// keeps the structure of grids and runs through memory; with `shuffle` at random.
Coarsening coarsen(const Graph& fine, count_t heaviest, Random* shuffle);

/// Vertices order[first .. first + graph.size()) of the whole graph, numbered as they stand there.
/// A part owns that range of the final order.
struct Part {
    Graph graph;
    index_t first = 0;
    index_t depth = 0;  // separators above it
    index_t number = 0;  // among the parts of that depth

    index_t size() const { return graph.size(); }
};

struct SplitPart {
    Part left;
    Part right;
};

/// Rearranges the part's range of `order`: left vertices, right vertices, separator, each as
/// before. local: scratch.
SplitPart split(const Part& part, const Partition& partition, std::vector<index_t>& order, std::vector<index_t>& local);

/// Order of a small part of a graph by minimum degree; its neighbours outside the part (the halo,
/// eliminated later) count in the degrees (Pellegrini, Roman & Amestoy 2000).
/// Sets are bit vectors, so degrees are exact and cost a few words each.
class LeafOrder {
public:
    /// Replaces part[0 .. size) by its elimination order.
    void order(const Pattern& whole, index_t* part, index_t size);

private:
    void reserve_numbers(count_t vertices);
    index_t& number_of(index_t vertex);
    void number_locally(const Pattern& whole, const index_t* part, index_t size);
    void eliminate(index_t v, index_t size);

    /// Open addressing: a vertex of the whole graph and its local number, -1 where it is free.
    struct Numbered {
        index_t vertex = -1;
        index_t local = -1;
    };

    std::vector<Numbered> numbered_;  // a power of two
    std::vector<index_t> global_;  // local vertices: the leaf first, then the halo
    std::size_t words_ = 0;
    std::vector<std::uint64_t> adjacent_;  // [size][words_]
    std::vector<index_t> degree_;  // [size]
    std::vector<index_t> result_;
};

}  // namespace frond::dissection
