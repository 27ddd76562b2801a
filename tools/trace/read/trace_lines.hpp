// SPDX-License-Identifier: BSD-3-Clause
// Words and numbers of StarPU's text files.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace frond::cli {

/// False when the text is not a number as a whole.
template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

inline bool read_hexadecimal(std::string_view text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
    return error == std::errc() && end == text.data() + text.size();
}

/// Words between blanks or tabs; what stands in quotation marks is one word, without them. An empty field of quotation
/// marks is a word, too.
inline void split_words(std::string_view line, std::vector<std::string_view>& words) {
    words.clear();
    std::size_t i = 0;
    while (i < line.size()) {
        if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
            ++i;
        } else if (line[i] == '"') {
            const std::size_t close = line.find('"', i + 1);
            const std::size_t end = close == std::string_view::npos ? line.size() : close;
            words.push_back(line.substr(i + 1, end - i - 1));
            i = end + 1;
        } else {
            const std::size_t end = std::min(line.find_first_of(" \t\r", i), line.size());
            words.push_back(line.substr(i, end - i));
            i = end;
        }
    }
}

/// StarPU numbers workers, memory nodes and handles in each process anew; in the trace of several ranks the numbers of rank
/// r are these, of which rank 0 has its own.
constexpr int ranked_number(int rank, int number) { return rank * (1 << 16) + number; }
constexpr std::uint64_t ranked_handle(int rank, std::uint64_t address) {
    return address + (static_cast<std::uint64_t>(rank) << 52);
}

/// Takes "1_" off "1_w3" and returns 1; the name without a rank is of rank 0.
inline int take_rank(std::string_view& name) {
    const std::size_t line = name.find('_');
    int rank = 0;
    if (line == std::string_view::npos || !read_number(name.substr(0, line), rank)) return 0;
    name.remove_prefix(line + 1);
    return rank;
}

/// "12", or "1_12" of rank 1, which has numbers of its own from 2^40 on. -1: it is no job's number.
inline std::int64_t job_number(std::string_view text) {
    std::int64_t rank = 0, number = -1;
    const std::size_t line = text.rfind('_');
    if (line != std::string_view::npos && !read_number(text.substr(0, line), rank)) return -1;
    const std::string_view digits = line == std::string_view::npos ? text : text.substr(line + 1);
    if (!read_number(digits, number) || number < 0 || rank < 0) return -1;
    return (rank << 40) + number;
}

/// The lines of a file of a trace, of which messages name the number.
class TraceLines {
public:
    /// @throws InvalidArgument  the file cannot be opened
    explicit TraceLines(const std::string& file);

    /// False behind the last one. @throws RuntimeError  the file cannot be read
    bool next();
    std::string_view line() const { return line_; }
    [[noreturn]] void refuse(std::string_view found, const std::string& wanted) const;

private:
    std::string file_, line_;
    std::vector<char> buffer_;
    std::ifstream stream_;
    std::size_t number_ = 0;
};

}  // namespace frond::cli
