// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/printable.hpp"

#include <algorithm>

namespace frond {
namespace {

/// Bytes of the character that begins there; 0: there is none that a terminal only shows.
std::size_t printable_bytes(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(0);
    if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\n' || first == '\t' ? 1 : 0;
    const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t at = 1; at < length; ++at)
        if ((byte(at) & 0xc0) != 0x80) return 0;
    // Below 0xa0 stand control characters behind 0xc2, and behind 0xe0, as below 0x90 behind 0xf0, what has a shorter form.
    const unsigned least = first == 0xc2 || first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    return byte(1) >= least ? length : 0;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = printable_bytes(text);
        result += bytes > 0 ? text.substr(0, bytes) : std::string_view("?");
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return result;
}

}  // namespace frond
