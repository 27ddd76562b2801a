// SPDX-License-Identifier: BSD-3-Clause
#include "leaf_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace frond::dissection {
namespace {

constexpr index_t eliminated = std::numeric_limits<index_t>::max();

}  // namespace

void LeafOrder::order(const Pattern& whole, index_t* part, index_t size) {
    number_locally(whole, part, size);
    degree_.assign(static_cast<std::size_t>(size), 0);
    for (index_t v = 0; v < size; ++v)
        degree_[v] = static_cast<index_t>(whole.begin[part[v] + 1] - whole.begin[part[v]]);
    result_.clear();
    for (index_t k = 0; k < size; ++k) {
        const auto least = std::min_element(degree_.begin(), degree_.end());
        const auto v = static_cast<index_t>(least - degree_.begin());
        result_.push_back(part[v]);
        eliminate(v, size);
    }
    std::copy(result_.begin(), result_.end(), part);
}

/// An empty table that is at most half full with so many vertices.
void LeafOrder::reserve_numbers(count_t vertices) {
    const auto size = std::bit_ceil(2 * static_cast<std::size_t>(vertices) + 1);
    numbered_.assign(size, {});
}

/// The entry that has, or will have, the local number of a vertex. Neighbours have close numbers and
/// share lines of the cache.
index_t& LeafOrder::number_of(index_t vertex) {
    const std::size_t last = numbered_.size() - 1;
    std::size_t at = static_cast<std::size_t>(vertex) & last;
    while (numbered_[at].vertex >= 0 && numbered_[at].vertex != vertex) at = (at + 1) & last;
    numbered_[at].vertex = vertex;
    return numbered_[at].local;
}

void LeafOrder::number_locally(const Pattern& whole, const index_t* part, index_t size) {
    global_.assign(part, part + size);
    count_t entries = 0;
    for (index_t v = 0; v < size; ++v) entries += whole.begin[part[v] + 1] - whole.begin[part[v]];
    reserve_numbers(std::min<count_t>(size + entries, whole.cols));
    for (index_t v = 0; v < size; ++v) number_of(part[v]) = v;
    for (index_t v = 0; v < size; ++v)
        for (count_t p = whole.begin[part[v]]; p < whole.begin[part[v] + 1]; ++p) {
            const index_t u = whole.row[p];
            index_t& local = number_of(u);
            if (local >= 0) continue;
            local = static_cast<index_t>(global_.size());
            global_.push_back(u);
        }
    words_ = (global_.size() + 63) / 64;
    adjacent_.assign(static_cast<std::size_t>(size) * words_, 0);
    for (index_t v = 0; v < size; ++v)
        for (count_t p = whole.begin[part[v]]; p < whole.begin[part[v] + 1]; ++p) {
            const index_t u = number_of(whole.row[p]);
            adjacent_[v * words_ + u / 64] |= std::uint64_t{1} << (u % 64);
        }
}

/// Joins the neighbours of v.
void LeafOrder::eliminate(index_t v, index_t size) {
    degree_[v] = eliminated;
    const std::uint64_t* from = &adjacent_[v * words_];
    for (std::size_t w = 0; w < (static_cast<std::size_t>(size) + 63) / 64; ++w)
        for (std::uint64_t bits = from[w]; bits != 0; bits &= bits - 1) {
            const auto u = static_cast<index_t>(64 * w) + std::countr_zero(bits);
            if (u >= size) return;
            std::uint64_t* to = &adjacent_[u * words_];
            index_t degree = 0;
            for (std::size_t k = 0; k < words_; ++k) {
                to[k] |= from[k];
                degree += std::popcount(to[k]);
            }
            // u has itself and the eliminated v in its set now.
            const auto clear = [&](index_t x) {
                degree -= static_cast<index_t>(to[x / 64] >> (x % 64) & 1);
                to[x / 64] &= ~(std::uint64_t{1} << (x % 64));
            };
            clear(u);
            clear(v);
            degree_[u] = degree;
        }
}

}  // namespace frond::dissection
