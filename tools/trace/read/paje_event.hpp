// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/read/fields.hpp"
#include "trace/read/trace_lines.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace frond::cli {

/// The event that the reader is at: a line of words, of which the first is the number of the event.
class PajeEvent {
public:
    explicit PajeEvent(const std::string& file) : lines_(file) {}

    bool next() { return lines_.next(); }
    std::string_view line() const { return lines_.line(); }
    const std::vector<std::string_view>& split(std::string_view text) {
        split_words(text, words_);
        return words_;
    }

    std::size_t words() const { return words_.size(); }
    std::string_view word(std::size_t i) const {
        if (i >= words_.size()) lines_.refuse(lines_.line(), "a whole event");
        return words_[i];
    }

    [[noreturn]] void refuse(std::string_view word, const char* wanted) const { lines_.refuse(word, wanted); }

private:
    TraceLines lines_;
    std::vector<std::string_view> words_;
};

}  // namespace frond::cli
