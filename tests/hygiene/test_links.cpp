// SPDX-License-Identifier: BSD-3-Clause
// Links between the documents: files that are there, and headings in them.
#include "source_tree.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

namespace {

using namespace frond::hygiene;
namespace fs = std::filesystem;

/// The anchor that pages of Markdown give a heading: lower case, blanks as hyphens, without other signs.
std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (const char c : heading) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (c == ' ')
            anchor += '-';
    }
    return anchor;
}

/// The anchors of a page. The second heading of a name gets "-1", the third "-2".
std::set<std::string> anchors_of(const std::string& page) {
    std::set<std::string> anchors;
    std::map<std::string, int> seen;
    std::istringstream lines(page);
    bool is_code = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) is_code = !is_code;
        const std::size_t marks = line.find_first_not_of('#');
        if (is_code || marks == 0 || marks == std::string::npos || line[marks] != ' ') continue;
        const std::string anchor = anchor_of(line.substr(marks + 1));
        const int earlier = seen[anchor]++;
        anchors.insert(earlier == 0 ? anchor : anchor + "-" + std::to_string(earlier));
    }
    return anchors;
}

struct Link {
    std::string page, target, anchor;  // an empty target: the page itself; no anchor: ""
};

std::vector<Link> links_of(const SourceFile& page) {
    static const std::regex link(R"(\]\(([^)#\s]*)(?:#([^)\s]*))?\))");
    std::vector<Link> links;
    for (std::sregex_iterator it(page.text.begin(), page.text.end(), link), end; it != end; ++it) {
        const std::string target = (*it)[1];
        if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
        links.push_back({page.path, target, (*it)[2]});
    }
    return links;
}

fs::path file_of(const Link& link) {
    const fs::path page = fs::path(FROND_SOURCE_DIR) / link.page;
    return link.target.empty() ? page : page.parent_path() / link.target;
}

/// Pages that say what was, and may name what is no more.
bool is_history(const std::string& path) {
    return path == "CHANGELOG.md" || path.starts_with("docs/decisions/") || path.starts_with("bench/results/");
}

/// Files and folders that a page names in full, between backticks, outside of the table of includes.
std::vector<std::string> named_paths(std::string page) {
    const std::size_t table = page.find("\n## Permitted includes\n");
    if (table != std::string::npos) page.erase(table, page.find("\n## ", table + 1) - table);
    static const std::regex path(
        R"(`((?:analysis|bench|cli|cmake|codelets|docs|machines|runtime|scripts|tests|tools)/[A-Za-z0-9_./-]*)`)");
    std::vector<std::string> paths;
    for (std::sregex_iterator it(page.begin(), page.end(), path), end; it != end; ++it) paths.push_back((*it)[1]);
    return paths;
}

/// True: a page of Markdown has this anchor; other files have none that a link could name.
bool has_anchor(const fs::path& file, const std::string& anchor) {
    static std::map<std::string, std::set<std::string>> known;
    const std::string path = file.lexically_normal();
    if (!path.ends_with(".md") || !fs::exists(path)) return false;
    const auto [place, is_new] = known.try_emplace(path);
    if (is_new) place->second = anchors_of(read_text(path));
    return place->second.count(anchor) > 0;
}

}  // namespace

TEST_CASE("links between the documents name files and headings that are there") {
    int files = 0, headings = 0;
    for (const SourceFile& page : documents())
        for (const Link& link : links_of(page)) {
            ++files;
            CHECK_MESSAGE(fs::exists(file_of(link)), link.page << " links to " << link.target);
            if (link.anchor.empty()) continue;
            ++headings;
            CHECK_MESSAGE(has_anchor(file_of(link), link.anchor),
                          link.page << " links to " << link.target << "#" << link.anchor);
        }
    CHECK(files > 200);
    CHECK(headings > 100);
}

TEST_CASE("files and folders that documents name are there") {
    int paths = 0;
    for (const SourceFile& page : documents()) {
        if (is_history(page.path)) continue;
        for (const std::string& path : named_paths(page.text)) {
            ++paths;
            CHECK_MESSAGE(fs::exists(fs::path(FROND_SOURCE_DIR) / path), page.path << " names " << path);
        }
    }
    CHECK(paths > 200);
    CHECK(named_paths("`docs/a.md`, `x/b.md`\n## Permitted includes\n`cli/c.hpp`\n## D\n`cli/`") ==
          std::vector<std::string>{"docs/a.md", "cli/"});
}

TEST_CASE("anchors of headings") {
    CHECK(anchors_of("# A `name_of` B, C\n## C++ (two)\n```sh\n# no heading\n```\n## C++ (two)\n#none\n") ==
          std::set<std::string>{"a-name_of-b-c", "c-two", "c-two-1"});
    const SourceFile page{"docs/glossary.md", "[a](#b-c) [d](e.md) [f](https://g.h/#i) ![j](k.svg)"};
    REQUIRE(links_of(page).size() == 3);
    CHECK(links_of(page)[0].anchor == "b-c");
    CHECK_FALSE(has_anchor(file_of(links_of(page)[0]), "b-c"));
}
