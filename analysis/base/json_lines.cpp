// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/json_lines.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace frond {

namespace {

/// The position at which the key comes for the n-th time.
std::size_t position_of_key(std::string_view text, const std::string& key, int n) {
    const std::string mark = '"' + key + '"';
    for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
        const std::size_t next = text.find_first_not_of(" \t\r\n", at + mark.size());
        if (next != std::string_view::npos && text[next] == ':' && --n == 0) return at;
    }
    return 0;
}

/// Finds the first key of that name and of the least depth, from begin on, before what is open there ends: an object
/// inside may have the key, too. npos: there is none. The text is JSON.
std::size_t outermost_key(std::string_view text, std::size_t begin, std::string_view key) {
    std::size_t found = std::string_view::npos;
    int depth = 0, least = std::numeric_limits<int>::max();
    for (std::size_t at = begin; at < text.size() && depth >= 0; ++at) {
        if (text[at] == '{' || text[at] == '[') ++depth;
        if (text[at] == '}' || text[at] == ']') --depth;
        if (text[at] != '"') continue;
        const std::size_t first = at + 1;
        for (at = first; at < text.size() && text[at] != '"'; ++at)
            if (text[at] == '\\') ++at;
        const std::size_t next = text.find_first_not_of(" \t\r\n", at + 1);
        const bool is_key = next != std::string_view::npos && text[next] == ':';
        if (!is_key || depth >= least || text.substr(first, at - first) != key) continue;
        found = first - 1;
        least = depth;
    }
    return found;
}

/// Keys of the objects that are open, for the parser's calls.
class KeysOnce {
public:
    using Event = nlohmann::json::parse_event_t;

    /// False: the object has the key already.
    bool take(Event event, const nlohmann::json& value) {
        if (event == Event::object_start) open_.emplace_back();
        if (event == Event::object_end) open_.pop_back();
        if (event != Event::key) return true;
        key_ = value.get<std::string>();
        times_ = ++seen_[key_];
        return open_.back().insert(key_).second;
    }
    const std::string& key() const { return key_; }
    int times() const { return times_; }  // in the file so far

private:
    std::vector<std::set<std::string>> open_;
    std::map<std::string, int> seen_;
    std::string key_;
    int times_ = 0;
};

}  // namespace

JsonLines::JsonLines(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    KeysOnce keys;
    const auto expect_new_key = [&](int, nlohmann::json::parse_event_t event, const nlohmann::json& value) {
        if (!keys.take(event, value))
            throw InvalidArgument(fmt::format("{} line {}: '{}' is there for the second time", file_,
                                              line_at(position_of_key(text_, keys.key(), keys.times())), keys.key()));
        return true;
    };
    try {
        root_ = nlohmann::json::parse(text, expect_new_key);
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t at = error.byte > 0 ? error.byte - 1 : 0;
        throw InvalidArgument(fmt::format("{} line {}: it is not JSON: {}", file_, line_at(at), error.what()));
    } catch (const nlohmann::json::exception& error) {  // a number that no double holds
        throw InvalidArgument(fmt::format("{}: it cannot be read as JSON: {}", file_, error.what()));
    }
}

std::size_t JsonLines::line_at(std::size_t position) const {
    const std::string_view before = text_.substr(0, std::min(position, text_.size()));
    return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

void JsonLines::go_on_at(std::string_view mark) {
    const std::size_t found = text_.find(mark, begin_ + 1);
    if (found != std::string_view::npos) begin_ = found;
}

void JsonLines::refuse(const std::string& key, const std::string& reason) const {
    const std::size_t found = outermost_key(text_, begin_, key);
    throw InvalidArgument(
        fmt::format("{} line {}: {}", file_, line_at(found == std::string_view::npos ? begin_ : found), reason));
}

void JsonLines::expect_keys(const nlohmann::json& object, const std::string& what,
                            std::initializer_list<std::string_view> known) const {
    if (!object.is_object()) refuse(what, what + " must be an object { ... }");
    for (const auto& [key, value] : object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        std::string list;
        for (const std::string_view name : known) list += (list.empty() ? "" : ", ") + std::string(name);
        refuse(key, fmt::format("{} has no '{}'; it has {}", what, key, list));
    }
}

const nlohmann::json& JsonLines::value(const nlohmann::json& object, const std::string& key) const {
    const auto found = object.find(key);
    if (found == object.end())  // elsewhere the text may have it
        throw InvalidArgument(fmt::format("{} line {}: '{}' is missing", file_, line_at(begin_), key));
    return *found;
}

std::string JsonLines::text(const nlohmann::json& object, const std::string& key) const {
    const nlohmann::json& found = value(object, key);
    if (!found.is_string()) refuse(key, fmt::format("'{}' is {}; it must be a text", key, found.dump()));
    return found.get<std::string>();
}

double JsonLines::number(const nlohmann::json& object, const std::string& key, double least, double most) const {
    const nlohmann::json& found = value(object, key);
    const double number = found.is_number() ? found.get<double>() : std::nan("");
    if (!(number >= least && number <= most))
        refuse(key, fmt::format("'{}' is {}; it must be a number in {} .. {}", key, found.dump(), least, most));
    return number;
}

count_t JsonLines::whole_number(const nlohmann::json& object, const std::string& key, count_t least,
                                count_t most) const {
    const double number = this->number(object, key, static_cast<double>(least), static_cast<double>(most));
    if (number != std::floor(number)) refuse(key, fmt::format("'{}' is {}; it must be a whole number", key, number));
    return static_cast<count_t>(number);
}

}  // namespace frond
