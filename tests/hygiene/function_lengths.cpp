// SPDX-License-Identifier: BSD-3-Clause
#include "function_lengths.hpp"

#include "source_tree.hpp"

#include <algorithm>
#include <regex>

namespace frond::hygiene {
namespace {

/// Preprocessor lines, with their continuations, as blanks.
std::string without_directives(std::string text) {
    bool inside = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::size_t first = text.find_first_not_of(' ', begin);
        inside = inside || (first < end && text[first] == '#');
        const bool goes_on = inside && end > begin && text[end - 1] == '\\';
        if (inside) std::fill(text.begin() + begin, text.begin() + end, ' ');
        inside = goes_on;
        begin = end + 1;
    }
    return text;
}

/// Without what stands up to the bracket that closes the first one.
void remove_brackets(std::string_view& head, char opens, char closes) {
    std::size_t i = std::min(head.find(opens), head.size());
    for (int depth = 0; i < head.size(); ++i) {
        depth += head[i] == opens ? 1 : head[i] == closes ? -1 : 0;
        if (depth == 0) break;
    }
    head.remove_prefix(std::min(i + 1, head.size()));
}

/// Behind macros of Frond, `template <...>`, access specifiers and attributes.
std::string_view declaration(std::string_view head) {
    for (;;) {
        const std::size_t first = head.find_first_not_of(" \n");
        if (first == std::string_view::npos) return {};
        head.remove_prefix(first);
        if (head.starts_with("FROND_")) {
            const std::size_t end = head.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
            const bool has_arguments = end != std::string_view::npos && head[end] == '(';
            head.remove_prefix(std::min(end, head.size()));
            if (has_arguments) remove_brackets(head, '(', ')');
        } else if (head.starts_with("template")) {
            remove_brackets(head, '<', '>');
        } else if (head.starts_with("public:") || head.starts_with("private:") || head.starts_with("protected:")) {
            head.remove_prefix(head.find(':') + 1);
        } else {
            return head;
        }
    }
}

bool opens_scope(std::string_view head) {
    static const std::regex scope(R"(^(inline\s+)?(namespace|class|struct|union|enum|extern)\b)");
    return std::regex_search(head.begin(), head.end(), scope);
}

class Scanner {
public:
    explicit Scanner(std::string text) : text_(std::move(text)) {}

    std::vector<FunctionLength> run() {
        for (at_ = 0; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '\n') ++line_;
            if (c == '(') ++parentheses_;
            if (c == ')') --parentheses_;
            if (c == '{') open();
            if (c == '}') close();
            if (c == ';' && parentheses_ == 0) {
                head_ = at_ + 1;
                after_function_ = false;
            }
        }
        return std::move(found_);
    }

private:
    void open() {
        if (inside_ > 0) {
            ++inside_;
            return;
        }
        const std::string_view head = declaration(std::string_view(text_).substr(head_, at_ - head_));
        if (opens_scope(head)) {
            head_ = at_ + 1;
            after_function_ = false;
            return;
        }
        inside_ = 1;
        // Member initializers with braces and handlers of a function try block.
        const bool goes_on =
            after_function_ && (head.empty() || head[0] == ',' || head[0] == ':' || head.starts_with("catch"));
        // Between parentheses stands a default argument.
        is_function_ = goes_on || (parentheses_ == 0 && head.find(')') != std::string_view::npos);
        if (is_function_ && !goes_on) begin_function(head);
    }

    void begin_function(std::string_view head) {
        FunctionLength f;
        f.head = std::string(head);
        const auto lines_of_head = std::count(head.begin(), head.end(), '\n');
        f.first_line = line_ - static_cast<int>(lines_of_head);
        std::replace(f.head.begin(), f.head.end(), '\n', ' ');
        found_.push_back(std::move(f));
    }

    void close() {
        head_ = at_ + 1;
        if (inside_ == 0 || --inside_ > 0) return;
        after_function_ = is_function_;
        if (is_function_) found_.back().lines = line_ - found_.back().first_line + 1;
    }

    std::string text_;
    std::vector<FunctionLength> found_;
    std::size_t at_ = 0, head_ = 0;  // head_: where the present declaration starts
    int line_ = 1;
    int parentheses_ = 0;
    int inside_ = 0;  // depth of braces inside a body or an initializer
    bool is_function_ = false;
    bool after_function_ = false;
};

}  // namespace

std::vector<FunctionLength> function_lengths(std::string_view source) {
    return Scanner(without_directives(without_comments(source, true))).run();
}

}  // namespace frond::hygiene
