// SPDX-License-Identifier: BSD-3-Clause
// The file of an analysis: header, then the fields of Analysis in the order of visit_fields. Numbers are
// little-endian; bool and enumerations are one byte, a vector is its count in 8 bytes and its entries.
#pragma once

#include "frond/analysis/analysis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace frond::detail {

/// Begins with a byte that is no text and has a line end, so that a transfer as text is noticed.
constexpr std::array<unsigned char, 8> file_magic{0x89, 'F', 'R', 'A', 'N', '\r', '\n', 0x1a};
constexpr std::uint32_t format_version = 4;

/// [0, 8) magic, [8, 12) format_version, [12, 16) CRC-32 of all bytes after it, [16, 24) bytes of the
/// payload, [24, 40) version of Frond as text, filled with 0.
constexpr std::size_t header_bytes = 40;

/// Files have a checksum of their bytes; messages have none, since MPI brings them as they are.
enum class Checksum : bool { no, yes };
constexpr std::size_t checked_from = 16;  // what the checksum covers
constexpr std::size_t version_text_bytes = 16;

template <class T>
constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// The value of bytes in memory as bytes in the file, and back.
template <class T>
void swap_to_little_endian(unsigned char* bytes) {
    if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof(T));
}

template <class T>
void store_little_endian(unsigned char* to, T x) {
    std::memcpy(to, &x, sizeof x);
    swap_to_little_endian<T>(to);
}

template <class T>
T load_little_endian(const unsigned char* from) {
    std::array<unsigned char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    swap_to_little_endian<T>(bytes.data());
    T x;
    std::memcpy(&x, bytes.data(), sizeof x);
    return x;
}

/// The last enumerator of each enumeration in a file.
constexpr Symmetry last_of(Symmetry) { return Symmetry::skew_symmetric; }
constexpr Factorization last_of(Factorization) { return Factorization::lu; }
constexpr OrderingMethod last_of(OrderingMethod) { return OrderingMethod::ptscotch; }
constexpr MatchingMode last_of(MatchingMode) { return MatchingMode::off; }
constexpr ScalingMethod last_of(ScalingMethod) { return ScalingMethod::none; }

}  // namespace frond::detail
