// SPDX-License-Identifier: BSD-3-Clause
// Enough of XML to tell a well-formed drawing from a broken one.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace frond::test {

/// Empty when `text` is one element with properly nested tags, unique quoted attributes and escaped
/// text; else what is wrong. No comments, declarations or entities other than the five of XML.
class XmlCheck {
public:
    explicit XmlCheck(std::string_view text) : text_(text) {}

    std::string error() {
        while (error_.empty() && at_ < text_.size()) step();
        if (error_.empty() && !open_.empty()) error_ = "not closed: " + open_.back();
        if (error_.empty() && roots_ != 1) error_ = "not one root element";
        return error_;
    }

private:
    void step() {
        if (text_[at_] == '<')
            tag();
        else if (text_[at_] == '&')
            entity();
        else if (open_.empty() && !std::isspace(static_cast<unsigned char>(text_[at_])))
            fail("text outside the root");
        else
            ++at_;
    }

    void fail(const std::string& what) { error_ = what + " at byte " + std::to_string(at_); }

    void entity() {
        for (const std::string_view name : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
            if (text_.substr(at_, name.size()) == name) {
                at_ += name.size();
                return;
            }
        }
        fail("bare &");
    }

    std::string name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '-' || text_[at_] == ':'))
            ++at_;
        if (at_ == begin) fail("a name is missing");
        return std::string(text_.substr(begin, at_ - begin));
    }

    void tag() {
        ++at_;
        if (at_ < text_.size() && text_[at_] == '/') {
            ++at_;
            const std::string closed = name();
            if (open_.empty() || open_.back() != closed) return fail("</" + closed + "> closes nothing");
            open_.pop_back();
            return expect('>');
        }
        if (open_.empty()) ++roots_;
        open_.push_back(name());
        attributes();
        if (error_.empty() && text_[at_] == '/') {
            ++at_;
            open_.pop_back();
        }
        expect('>');
    }

    void attributes() {
        std::set<std::string> seen;
        while (error_.empty() && at_ < text_.size() && text_[at_] == ' ') {
            ++at_;
            if (!seen.insert(name()).second) return fail("attribute given twice");
            expect('=');
            expect('"');
            while (error_.empty() && at_ < text_.size() && text_[at_] != '"') {
                if (text_[at_] == '<') return fail("< in an attribute");
                if (text_[at_] == '&')
                    entity();
                else
                    ++at_;
            }
            expect('"');
        }
        if (at_ >= text_.size()) fail("the text ends inside a tag");
    }

    void expect(char c) {
        if (!error_.empty()) return;
        if (at_ >= text_.size() || text_[at_] != c) return fail(std::string("expected ") + c);
        ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int roots_ = 0;
    std::vector<std::string> open_;
    std::string error_;
};

}  // namespace frond::test
