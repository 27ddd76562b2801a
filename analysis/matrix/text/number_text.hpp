// SPDX-License-Identifier: BSD-3-Clause
// Numbers out of text that ends with '\n'. Each function starts at a token (blanks skipped), leaves
// p behind it and checks that a blank or a line end follows.
#pragma once

#include "frond/base/types.hpp"

#include <cstdint>

namespace frond::detail {

enum class TextFault : std::uint8_t { none, missing, not_a_number, not_whole, out_of_range, not_finite };

/// "is missing", "is not a number", ...
const char* describe(TextFault fault);

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

constexpr bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

constexpr bool ends_token(char c) { return is_blank(c) || c == '\n'; }

inline const char* skip_blanks(const char* p) {
    while (is_blank(*p)) ++p;
    return p;
}

/// Whole number of at most 18 digits.
inline TextFault parse_index(const char*& p, count_t& value) {
    const char* q = p;
    const bool negative = *q == '-';
    q += negative || *q == '+';
    const char* const digits = q;
    count_t number = 0;
    for (; is_digit(*q) && q - digits < 19; ++q) number = 10 * number + (*q - '0');
    if (q == digits) return *q == '\n' ? TextFault::missing : TextFault::not_a_number;
    if (q - digits > 18) return TextFault::out_of_range;
    if (!ends_token(*q)) return TextFault::not_whole;
    value = negative ? -number : number;
    p = q;
    return TextFault::none;
}

/// Whole number within 64 bits.
TextFault parse_integer(const char*& p, std::int64_t& value);

/// Decimal number; exponent letters e, E, d, D. Underflow gives 0 or a subnormal. nan and inf are
/// not_finite, but value is set and p moved.
TextFault parse_real(const char*& p, double& value);

/// The token's number in single precision, given its double: false when it is too large. A double
/// halfway between two floats is rounded from the token itself, to even when token is null.
bool round_to_float(double value, const char* token, float& rounded);

inline bool round_to_float(double value, const char*, double& rounded) {
    rounded = value;
    return true;
}

}  // namespace frond::detail
