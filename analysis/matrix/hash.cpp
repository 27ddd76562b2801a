// SPDX-License-Identifier: BSD-3-Clause
// 64-bit hashes of patterns: four independent lanes of multiply-and-fold, so that the
// hash runs at memory speed. They tell matrices apart; they do not withstand an adversary.
#include "canonical_form.hpp"

#include "frond/analysis/analysis.hpp"
#include "frond/matrix/operations.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace frond {
namespace {

constexpr std::array<std::uint64_t, 4> odd_constants{0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u,
                                                     0xd6e8feb86659fd93u};

/// Upper xor lower half of the 128-bit product.
std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(x) * y;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed) {
    const auto* p = static_cast<const unsigned char*>(data);
    std::array<std::uint64_t, 4> lane{};
    for (std::size_t k = 0; k < 4; ++k) lane[k] = seed ^ odd_constants[k];
    std::size_t left = bytes;
    for (; left >= 32; left -= 32, p += 32) {
        std::array<std::uint64_t, 4> word;
        std::memcpy(word.data(), p, 32);
        for (std::size_t k = 0; k < 4; ++k) lane[k] = fold(lane[k] ^ word[k], odd_constants[k]) + word[k];
    }
    std::array<std::uint64_t, 4> tail{};
    if (left > 0) std::memcpy(tail.data(), p, left);
    std::uint64_t hash = fold(seed ^ bytes, odd_constants[0]);
    for (std::size_t k = 0; k < 4; ++k) hash = fold(hash ^ lane[k] ^ tail[k], odd_constants[k]) + lane[k];
    return fold(hash, odd_constants[1]);
}

template <class V>
std::uint64_t hash_vector(const std::vector<V>& v, std::uint64_t seed, const ParallelFor& parallel_for) {
    return detail::hash_array(v.data(), v.size() * sizeof(V), seed, parallel_for);
}

}  // namespace

std::uint64_t detail::hash_array(const void* data, std::size_t bytes, std::uint64_t seed,
                                 const ParallelFor& parallel_for) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    if (bytes <= piece) return hash_bytes(data, bytes, seed);
    std::vector<std::uint64_t> hashes((bytes + piece - 1) / piece);
    const auto one = [&](count_t k) {
        const std::size_t first = static_cast<std::size_t>(k) * piece;
        hashes[static_cast<std::size_t>(k)] =
            hash_bytes(static_cast<const unsigned char*>(data) + first, std::min(piece, bytes - first), seed);
    };
    const auto pieces = static_cast<count_t>(hashes.size());
    if (parallel_for)
        parallel_for(pieces, one);
    else
        for (count_t k = 0; k < pieces; ++k) one(k);
    return hash_bytes(hashes.data(), hashes.size() * sizeof(std::uint64_t), seed ^ bytes);
}

std::uint64_t hash_pattern(const Pattern& pattern, const ParallelFor& parallel_for) {
    const std::array<index_t, 2> sizes{pattern.rows, pattern.cols};
    const std::uint64_t hash = hash_bytes(sizes.data(), sizeof sizes, 1);
    return hash_vector(pattern.row, hash_vector(pattern.begin, hash, parallel_for), parallel_for);
}

}  // namespace frond
