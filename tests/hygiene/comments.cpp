// SPDX-License-Identifier: BSD-3-Clause
// Comments and strings of C++ apart from its code.
#include "source_tree.hpp"

#include <algorithm>
#include <cctype>

namespace frond::hygiene {
namespace {

enum class Kind : char { code, comment, text };

/// Cuts a source into code, comments and the contents of strings and characters.
class Lexer {
public:
    explicit Lexer(std::string_view source) : source_(source), kind_(source.size(), Kind::code) {}

    const std::vector<Kind>& run() {
        while (at_ < source_.size()) step();
        return kind_;
    }

private:
    bool next_is(std::string_view word) const { return source_.substr(at_, word.size()) == word; }

    void mark_until(std::size_t end, Kind kind) {
        for (end = std::min(end, source_.size()); at_ < end; ++at_) kind_[at_] = kind;
    }

    std::size_t find(std::string_view word, std::size_t from) const {
        const std::size_t found = source_.find(word, from);
        return found == std::string_view::npos ? source_.size() : found;
    }

    void step() {
        if (next_is("//")) return mark_until(find("\n", at_), Kind::comment);
        if (next_is("/*")) return mark_until(find("*/", at_ + 2) + 2, Kind::comment);
        if (next_is("R\"")) return raw_string();
        const char c = source_[at_++];
        const bool in_number = c == '\'' && at_ >= 2 && std::isalnum(static_cast<unsigned char>(source_[at_ - 2])) != 0;
        if (c == '"' || (c == '\'' && !in_number)) quoted(c);
    }

    void quoted(char quote) {
        while (at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n')
            mark_until(at_ + (source_[at_] == '\\' ? 2 : 1), Kind::text);
        if (at_ < source_.size()) ++at_;
    }

    void raw_string() {
        const std::size_t open = find("(", at_);
        std::string close = ")";
        close += source_.substr(at_ + 2, open - at_ - 2);
        close += '"';
        at_ = std::min(open + 1, source_.size());
        mark_until(find(close, at_), Kind::text);
        at_ = std::min(at_ + close.size(), source_.size());
    }

    std::string_view source_;
    std::vector<Kind> kind_;
    std::size_t at_ = 0;
};

template <class Keep>
std::string kept(std::string_view text, Keep keep) {
    Lexer lexer(text);
    const std::vector<Kind>& kind = lexer.run();
    std::string result(text);
    for (std::size_t i = 0; i < result.size(); ++i)
        if (result[i] != '\n' && !keep(kind[i])) result[i] = ' ';
    return result;
}

}  // namespace

std::string without_comments(std::string_view text, bool blank_strings) {
    return kept(text,
                [blank_strings](Kind kind) { return kind == Kind::code || (kind == Kind::text && !blank_strings); });
}

std::string only_comments(std::string_view text) {
    return kept(text, [](Kind kind) { return kind == Kind::comment; });
}

}  // namespace frond::hygiene
