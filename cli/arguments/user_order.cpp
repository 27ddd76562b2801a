// SPDX-License-Identifier: BSD-3-Clause
#include "user_order.hpp"

#include "input_paths.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>

namespace frond::cli {
namespace {

constexpr const char* banner = "%%MatrixMarket";

class OrderReader {
public:
    OrderReader(const std::string& file, index_t n) : file_(file), n_(n), line_of_(static_cast<std::size_t>(n)) {
        order_.reserve(line_of_.size());
    }

    std::vector<index_t> read() {
        std::ifstream in(file_ == "-" ? "/dev/stdin" : file_);
        bool size_follows = false;
        for (std::string text; std::getline(in, text);) {
            ++line_;
            if (line_ == 1 && text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // byte order mark
            if (line_ == 1 && text.starts_with(banner)) {
                expect_integer_array(text);
                size_follows = true;
            }
            const std::size_t first = text.find_first_not_of(" \t\r");
            if (first == std::string::npos || text[first] == '%' || text[first] == '#') continue;
            if (size_follows)
                read_size(text);
            else
                read_columns(text);
            size_follows = false;
        }
        if (static_cast<index_t>(order_.size()) != n_)
            fail(fmt::format("the file ends after {} of {} columns", order_.size(), n_));
        return std::move(order_);
    }

private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw path_error(fmt::format("{}:{}", file_, line_), reason,
                         fmt::format("give each of the columns 1 .. {} once, in the order of "
                                     "elimination",
                                     n_));
    }

    void expect_integer_array(const std::string& text) const {
        std::istringstream words(text);
        std::string first, object, format, field, symmetry;
        words >> first >> object >> format >> field >> symmetry;
        if (object != "matrix" || format != "array" || field != "integer" || symmetry != "general")
            fail("an order is a 'matrix array integer general', found '" + text + "'");
    }

    void read_size(const std::string& text) const {
        std::istringstream words(text);
        index_t rows = -1, columns = -1;
        words >> rows >> columns;
        if (rows != n_ || columns != 1)
            fail(fmt::format("the size must be {} 1, as the matrix has {} columns, found '{}'", n_, n_, text));
    }

    void read_columns(const std::string& text) {
        std::istringstream words(text);
        for (std::string word; words >> word;) add(word);
    }

    void add(const std::string& word) {
        index_t column = 0;
        const char* const end = word.data() + word.size();
        const auto [stop, failure] = std::from_chars(word.data(), end, column);
        if (stop != end || failure == std::errc::invalid_argument) fail("'" + word + "' is not a whole number");
        if (failure != std::errc() || column < 1 || column > n_)
            fail(fmt::format("column {} is outside 1 .. {}", word, n_));
        count_t& line = line_of_[static_cast<std::size_t>(column - 1)];
        if (line != 0) fail(fmt::format("column {} is already on line {}", column, line));
        line = line_;
        order_.push_back(column - 1);
    }

    const std::string& file_;
    index_t n_;
    count_t line_ = 0;
    std::vector<count_t> line_of_;  // [n] where a column was met; 0: not yet
    std::vector<index_t> order_;
};

}  // namespace

std::vector<index_t> read_user_order(const std::string& file, index_t n) {
    expect_readable(file, "give the order of elimination as a text file");
    return OrderReader(file, n).read();
}

}  // namespace frond::cli
