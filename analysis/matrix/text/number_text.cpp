// SPDX-License-Identifier: BSD-3-Clause
#include "number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

namespace frond::detail {
namespace {

const char* token_end(const char* p) {
    while (!ends_token(*p)) ++p;
    return p;
}

/// nan, inf, infinity in any case, with a sign.
bool parse_word(std::string_view token, double& value) {
    std::string word;
    for (const char c : token) word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    const bool negative = !word.empty() && word[0] == '-';
    if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.erase(0, 1);
    if (word == "nan")
        value = std::numeric_limits<double>::quiet_NaN();
    else if (word == "inf" || word == "infinity")
        value = std::numeric_limits<double>::infinity();
    else
        return false;
    if (negative) value = -value;
    return true;
}

/// Any number that from_chars reads, after '+' is dropped and Fortran's d made an e.
TextFault parse_real_in_full(const char*& p, double& value) {
    const char* const end = token_end(p);
    const std::string_view token(p, static_cast<std::size_t>(end - p));
    if (token.empty()) return TextFault::missing;
    std::string text(token.substr(token[0] == '+' ? 1 : 0));
    for (char& c : text)
        if (c == 'd' || c == 'D') c = 'e';
    const std::size_t first = token[0] == '-' ? 1 : 0;
    const bool numeric = first < text.size() && (is_digit(text[first]) || text[first] == '.');
    if (!numeric) {
        if (!parse_word(token, value)) return TextFault::not_a_number;
        p = end;
        return TextFault::not_finite;
    }
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure == std::errc::invalid_argument || stop != text.data() + text.size()) return TextFault::not_a_number;
    if (failure == std::errc::result_out_of_range) value = std::strtod(text.c_str(), nullptr);
    if (!std::isfinite(value)) return TextFault::out_of_range;
    p = end;
    return TextFault::none;
}

constexpr std::array<double, 23> powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Mantissa and decimal exponent of digits[.digits][e[+-]digits] with at most 18 digits.
struct Decimal {
    std::uint64_t mantissa = 0;
    int digits = 0;
    int exponent = 0;
};

const char* read_digits(const char* q, Decimal& number) {
    for (; is_digit(*q); ++q) {
        number.mantissa = 10 * number.mantissa + static_cast<std::uint64_t>(*q - '0');
        ++number.digits;
    }
    return q;
}

/// Position behind the number, or null when it is not of that form.
const char* read_decimal(const char* q, Decimal& number) {
    q = read_digits(q, number);
    if (*q == '.') {
        const char* const point = q + 1;
        q = read_digits(point, number);
        number.exponent = static_cast<int>(point - q);
    }
    if (number.digits == 0 || number.digits > 18) return nullptr;
    if (*q != 'e' && *q != 'E') return ends_token(*q) ? q : nullptr;
    ++q;
    const bool negative = *q == '-';
    q += negative || *q == '+';
    const char* const first = q;
    int exponent = 0;
    for (; is_digit(*q) && q - first < 4; ++q) exponent = 10 * exponent + (*q - '0');
    number.exponent += negative ? -exponent : exponent;
    return q != first && ends_token(*q) ? q : nullptr;
}

}  // namespace

const char* describe(TextFault fault) {
    switch (fault) {
        case TextFault::missing:
            return "is missing";
        case TextFault::not_a_number:
            return "is not a number";
        case TextFault::not_whole:
            return "is not a whole number";
        case TextFault::out_of_range:
            return "is larger than its type can hold";
        case TextFault::not_finite:
            return "is not finite";
        case TextFault::none:
            break;
    }
    return "is right";
}

TextFault parse_integer(const char*& p, std::int64_t& value) {
    const char* const end = token_end(p);
    if (p == end) return TextFault::missing;
    const char* const first = *p == '+' && is_digit(p[1]) ? p + 1 : p;
    const auto [stop, failure] = std::from_chars(first, end, value);
    if (failure == std::errc::result_out_of_range) return TextFault::out_of_range;
    if (failure != std::errc()) return TextFault::not_a_number;
    if (stop != end) return TextFault::not_whole;
    p = end;
    return TextFault::none;
}

TextFault parse_real(const char*& p, double& value) {
    const char* q = p;
    const bool negative = *q == '-';
    q += negative || *q == '+';
    Decimal number;
    q = read_decimal(q, number);
    // A mantissa below 2^53 and a power of ten up to 10^22 are exact, so one operation rounds once
    // (Clinger 1990).
    constexpr std::uint64_t exact_limit = std::uint64_t{1} << 53;
    if (q == nullptr || number.mantissa > exact_limit || number.exponent < -22 || number.exponent > 22) {
        const char* const end = token_end(p);
        if (q != nullptr && *p != '+') {
            const auto [stop, failure] = std::from_chars(p, end, value);
            if (failure == std::errc() && stop == end && std::isfinite(value)) {
                p = end;
                return TextFault::none;
            }
        }
        return parse_real_in_full(p, value);
    }
    const double mantissa = static_cast<double>(number.mantissa);
    const double size = number.exponent < 0 ? mantissa / powers_of_ten[static_cast<std::size_t>(-number.exponent)]
                                            : mantissa * powers_of_ten[static_cast<std::size_t>(number.exponent)];
    value = negative ? -size : size;
    p = q;
    return TextFault::none;
}

bool round_to_float(double value, const char* token, float& rounded) {
    constexpr double limit = 0x1.ffffffp127;  // from here on the nearest float would be 2^128
    if (std::isfinite(value) && std::abs(value) >= limit) return false;
    rounded = static_cast<float>(value);
    if (!std::isfinite(value) || static_cast<double>(rounded) == value) return true;
    const float other = std::nextafter(rounded, value > rounded ? HUGE_VALF : -HUGE_VALF);
    const bool halfway = value - rounded == static_cast<double>(other) - value;
    if (!halfway || token == nullptr) return true;
    std::string text(token, token_end(token));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
    rounded = std::strtof(text.c_str(), nullptr);
    return true;
}

}  // namespace frond::detail
