// SPDX-License-Identifier: BSD-3-Clause
// Files of analyses as bytes, to be damaged.
#pragma once

#include "temporary_file.hpp"

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace frond::test {

inline std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// The checksum that a forger would put in: bytes 12 .. 15, over all that follow (little-endian hosts).
inline void forge_checksum(std::string& bytes) {
    const auto sum =
        static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()) + 16, bytes.size() - 16));
    std::memcpy(&bytes[12], &sum, sizeof sum);
}

}  // namespace frond::test
