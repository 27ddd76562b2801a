// SPDX-License-Identifier: BSD-3-Clause
#include "include_rules.hpp"

#include "source_tree.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <sstream>

namespace frond::hygiene {
namespace {

std::vector<std::string> words_between_backticks(const std::string& text) {
    static const std::regex word("`([^`]+)`");
    std::vector<std::string> words;
    for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) words.push_back((*it)[1]);
    return words;
}

bool is_standard(const Include& include) {
    static constexpr std::array<std::string_view, 4> of_c{"stddef.h", "stdint.h", "stdio.h", "stdlib.h"};
    return !include.quoted && (include.name.find_first_of("./") == std::string::npos ||
                               std::find(of_c.begin(), of_c.end(), include.name) != of_c.end());
}

/// A file beside the including one, or in a folder between it and the root of its module.
bool is_own_file(const std::string& path, const std::string& module, const Include& include) {
    namespace fs = std::filesystem;
    const fs::path root = FROND_SOURCE_DIR;
    for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
        const std::string found = (folder / include.name).lexically_normal().generic_string();
        if (found.starts_with(module) && fs::exists(root / found)) return true;
        if (folder.generic_string() + "/" == module || folder.empty()) return false;
    }
}

const IncludeRule* rule_of(const std::vector<IncludeRule>& rules, const std::string& path) {
    const IncludeRule* found = nullptr;
    for (const IncludeRule& rule : rules)
        if (path.starts_with(rule.folder) && (found == nullptr || rule.folder.size() > found->folder.size()))
            found = &rule;
    return found;
}

}  // namespace

std::vector<IncludeRule> include_rules(std::string_view architecture) {
    std::istringstream lines{std::string(architecture)};
    std::vector<IncludeRule> rules;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## ")) inside = line == "## Permitted includes";
        if (!inside || !line.starts_with("| `")) continue;
        std::vector<std::string> words = words_between_backticks(line);
        IncludeRule rule;
        rule.folder = words.front();
        rule.permitted.assign(words.begin() + 1, words.end());
        rules.push_back(std::move(rule));
    }
    return rules;
}

std::vector<Include> includes_of(std::string_view source) {
    static const std::regex directive(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    std::istringstream lines(without_comments(source, false));
    std::vector<Include> includes;
    std::smatch match;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (std::regex_search(line, match, directive)) includes.push_back({number, match[2], match[1] == "\""});
    }
    return includes;
}

std::string objection(const std::vector<IncludeRule>& rules, const std::string& path, const Include& include) {
    const IncludeRule* rule = rule_of(rules, path);
    if (rule == nullptr || is_standard(include)) return {};
    for (const std::string& beginning : rule->permitted)
        if (include.name.starts_with(beginning)) return {};
    // frond/... goes by the table alone.
    if (include.quoted && !include.name.starts_with("frond/") && is_own_file(path, rule->folder, include)) return {};
    return path + ":" + std::to_string(include.line) + " includes " + include.name +
           ", which docs/architecture.md does not permit in " + rule->folder;
}

}  // namespace frond::hygiene
