// SPDX-License-Identifier: BSD-3-Clause
// Input by edit descriptors: Fortran 2018 (ISO/IEC 1539-1), sections 13.3 and 13.7.
#include "rutherford_boeing_parser.hpp"

#include <algorithm>
#include <array>

namespace frond::detail {
namespace {

constexpr int widest_line = 4096;
/// Groups and items, each time that they are repeated: a line has no more fields than columns, but
/// what takes no column (kP, empty groups) could be repeated for ever.
constexpr int most_items = 4 * widest_line;

char lower(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

/// Recursive descent over the text without blanks and in lower case.
class FormatParser {
public:
    explicit FormatParser(std::string text) : text_(std::move(text)) {}

    std::optional<std::vector<FortranField>> parse() {
        if (!group() || at_ != text_.size() || fields_.empty()) return std::nullopt;
        return std::move(fields_);
    }

private:
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }

    /// Unsigned number, or -1.
    int number() {
        if (!is_digit(peek())) return -1;
        int value = 0;
        while (is_digit(peek()) && value <= widest_line) value = 10 * value + (text_[at_++] - '0');
        return value;
    }

    /// ( item [,] item ... )
    bool group() {
        if (++depth_ > 8 || ++items_ > most_items || !take('(')) return false;
        while (!take(')')) {
            if (!item()) return false;
            take(',');
        }
        --depth_;
        return true;
    }

    /// [r] ( ... ), kP, nX, [r] I w, [r] E w.d [E e]
    bool item() {
        if (++items_ > most_items) return false;
        const bool negative = take('-');
        const int count = number();
        if (count > widest_line) return false;
        if (take('p')) {
            scale_ = negative ? -count : count;
            return count >= 0;
        }
        if (negative) return false;
        if (take('x')) return advance(std::max(count, 1));
        const int repeats = std::max(count, 1);
        if (peek() == '(') return repeated_group(repeats);
        return numbers(repeats);
    }

    bool repeated_group(int repeats) {
        const std::size_t start = at_;
        for (int k = 0; k < repeats; ++k) {
            at_ = start;
            if (!group()) return false;
        }
        return true;
    }

    bool numbers(int repeats) {
        FortranField field;
        field.letter = peek();
        constexpr std::array<char, 5> letters{'i', 'e', 'd', 'f', 'g'};
        if (std::find(letters.begin(), letters.end(), field.letter) == letters.end()) return false;
        ++at_;
        field.width = number();
        if (field.width < 1) return false;
        if (take('.')) field.decimals = number();
        if (field.decimals < 0 || (take('e') && number() < 0)) return false;
        field.scale = scale_;
        for (int k = 0; k < repeats; ++k) {
            field.begin = column_;
            fields_.push_back(field);
            if (!advance(field.width)) return false;
        }
        return true;
    }

    bool advance(int columns) {
        column_ += columns;
        return column_ <= widest_line;
    }

    std::string text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    int items_ = 0;
    int column_ = 0;
    int scale_ = 0;
    std::vector<FortranField> fields_;
};

/// The field without blanks, exponent written with e; empty when it is all blank or too long.
std::string plain_number(std::string_view field, bool& has_point, bool& has_exponent) {
    std::string text;
    has_point = has_exponent = false;
    for (char c : field) {
        if (is_blank(c)) continue;
        c = lower(c);
        if (c == 'd' || c == 'q') c = 'e';
        const bool sign = c == '+' || c == '-';
        // "1.5-103": a sign behind a digit starts the exponent.
        if (sign && !text.empty() && (is_digit(text.back()) || text.back() == '.')) text += 'e';
        has_point = has_point || c == '.';
        text += c;
    }
    has_exponent = text.find('e') != std::string::npos;
    return text;
}

}  // namespace

std::optional<std::vector<FortranField>> parse_fortran_format(std::string_view text) {
    std::string plain;
    for (const char c : text)
        if (!is_blank(c)) plain += lower(c);
    return FormatParser(std::move(plain)).parse();
}

TextFault parse_fortran_integer(std::string_view field, count_t& value) {
    while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
    while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
    std::array<char, 24> text{};
    if (field.size() >= text.size() - 1) return TextFault::out_of_range;
    *std::copy(field.begin(), field.end(), text.begin()) = '\n';
    const char* p = text.data();
    const TextFault fault = parse_index(p, value);
    return fault == TextFault::none && p != text.data() + field.size() ? TextFault::not_whole : fault;
}

TextFault parse_fortran_real(std::string_view field, const FortranField& format, double& value) {
    bool has_point = false;
    bool has_exponent = false;
    std::string text = plain_number(field, has_point, has_exponent);
    if (text.empty()) return TextFault::missing;
    if (format.scale != 0 && !has_exponent) text += 'e' + std::to_string(-format.scale);
    const std::size_t length = text.size();
    text += '\n';
    const char* p = text.c_str();
    const TextFault fault = parse_real(p, value);
    if (fault != TextFault::none) return fault;
    if (p != text.c_str() + length) return TextFault::not_a_number;
    if (!has_point && format.decimals > 0 && format.letter != 'i' && value != 0) return TextFault::not_a_number;
    return TextFault::none;
}

}  // namespace frond::detail
