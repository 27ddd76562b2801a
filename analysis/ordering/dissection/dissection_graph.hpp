// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

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

}  // namespace frond::dissection
