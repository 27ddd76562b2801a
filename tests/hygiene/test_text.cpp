// SPDX-License-Identifier: BSD-3-Clause
#include "source_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace {

using namespace frond::hygiene;

std::string first_lines(const std::string& text, int lines) {
    std::size_t end = 0;
    for (int i = 0; i < lines && end != std::string::npos; ++i) end = text.find('\n', end + 1);
    return text.substr(0, end);
}

/// Word by word, so that this file does not contain them.
const std::vector<std::regex> banned{std::regex("\\bTO"
                                                "DO\\b"),
                                     std::regex("\\bFIX"
                                                "ME\\b"),
                                     std::regex("\\bXX"
                                                "X\\b"),
                                     std::regex("\\bHA"
                                                "CK\\b"),
                                     std::regex("\\bfor"
                                                " now\\b",
                                                std::regex::icase)};

bool has_banned_word(const std::string& text) {
    return std::any_of(banned.begin(), banned.end(),
                       [&](const std::regex& word) { return std::regex_search(text, word); });
}

std::vector<SourceFile> library_sources() { return source_files({"analysis", "codelets", "runtime", "cli", "tools"}); }

/// Comments without line breaks and slashes, one blank between words.
std::string prose(const std::string& source) {
    std::string text = only_comments(source);
    std::replace(text.begin(), text.end(), '/', ' ');
    text.erase(std::unique(text.begin(), text.end(),
                           [](char a, char b) {
                               return std::isspace(static_cast<unsigned char>(a)) != 0 &&
                                      std::isspace(static_cast<unsigned char>(b)) != 0;
                           }),
               text.end());
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// The first line that begins with "Of " behind marks of comments, lists and tables; empty: none does. Such a sentence has
/// no subject where a reader looks for it.
std::string line_without_subject(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" /<*|-");
        if (first != std::string::npos && line.compare(first, 3, "Of ") == 0) return line;
    }
    return {};
}

/// A comparison with a small number that has no name.
bool has_bare_tolerance(const std::string& source) {
    static const std::regex comparison(R"((<=?|>=?|epsilon\()\s*[0-9]*\.?[0-9]*e-[0-9]+[fFlL]?\s*\))");
    return std::regex_search(without_comments(source, true), comparison);
}

}  // namespace

TEST_CASE("tolerances of tests are derived, or have a name") {
    const std::vector<SourceFile> tests = source_files({"tests"});
    REQUIRE(tests.size() > 200);
    for (const SourceFile& file : tests)
        CHECK_MESSAGE(!has_bare_tolerance(file.text), file.path << " compares with a tolerance without a name");
    CHECK(has_bare_tolerance("CHECK(error <= 1e-12);"));
    CHECK(has_bare_tolerance("CHECK(x == doctest::Approx(y).epsilon(2.5e-3));"));
    CHECK_FALSE(has_bare_tolerance("CHECK(error <= largest);  // (<= 1e-12)"));
    CHECK_FALSE(has_bare_tolerance("for (const double delta : {1e-2, 1e-4}) CHECK(delta <= 4 * bound(delta, 1e-4));"));
}

TEST_CASE("every header may be included twice") {
    std::size_t headers = 0;
    for (const SourceFile& file : library_sources()) {
        if (!file.path.ends_with(".hpp")) continue;
        ++headers;
        INFO(file.path);
        CHECK(file.text.find("\n#pragma once\n") != std::string::npos);
    }
    CHECK(headers > 100);
}

TEST_CASE("every source, CMake file and script names its licence") {
    const std::vector<SourceFile> files = licensed_files();
    REQUIRE(files.size() > 300);
    for (const SourceFile& file : files)
        CHECK_MESSAGE(first_lines(file.text, 3).find("SPDX-License-Identifier: BSD-3-Clause") != std::string::npos,
                      file.path << " has no SPDX line among its first three");
}

TEST_CASE("no notes of unfinished work") {
    for (const SourceFile& file : licensed_files())
        CHECK_MESSAGE(!has_banned_word(file.text), file.path << " has a banned word");
    CHECK(
        has_banned_word("// TO"
                        "DO: later"));
    CHECK(
        has_banned_word("a good limit For"
                        " now"));
    CHECK_FALSE(has_banned_word("a method: forward, nowhere"));
}

TEST_CASE("comments and documents begin no line with \"Of\"") {
    const std::vector<SourceFile> sources =
        source_files({"analysis", "codelets", "runtime", "cli", "tools", "bench", "tests", "docs"});
    REQUIRE(sources.size() > 1000);
    for (const SourceFile& file : sources) {
        const std::string line = line_without_subject(only_comments(file.text));
        CHECK_MESSAGE(line.empty(), file.path << ": " << line);
    }
    for (const SourceFile& page : documents()) {
        const std::string line = line_without_subject(page.text);
        CHECK_MESSAGE(line.empty(), page.path << ": " << line);
    }
    CHECK_FALSE(line_without_subject("int f();\n    /// Of all parts.\n").empty());
    CHECK_FALSE(line_without_subject("- Of 16 cores one has no worker.\n").empty());
    CHECK(line_without_subject("/// The bytes of all parts.\n/// of which some\n").empty());
}

TEST_CASE("every decision has its status under its title") {
    const std::regex status(
        R"(^# [^\n]+\n\nstatus: (in force|(partly )?replaced by \[[0-9]+\]\([0-9]{4}-[^)]+\)[^\n]*)\n)");
    int decisions = 0;
    for (const SourceFile& page : documents()) {
        if (!page.path.starts_with("docs/decisions/")) continue;
        ++decisions;
        const std::string beginning = first_lines(page.text, 4) + "\n";
        CHECK_MESSAGE(std::regex_search(beginning, status), page.path << " has no status below its title");
    }
    CHECK(decisions > 60);
    CHECK(std::regex_search("# 1 A\n\nstatus: replaced by [9](0009-b.md)\n", status));
    CHECK_FALSE(std::regex_search("# 1 A\n\nQuestion: which?\n", status));
}

TEST_CASE("every source key [Name2001] is in docs/sources.md") {
    const std::string sources = read_text(FROND_SOURCE_DIR "/docs/sources.md");
    const std::regex key(R"(\[[A-Z][A-Za-z]+(19|20)[0-9]{2}[a-z]?\])");
    int keys = 0;
    for (const SourceFile& file : library_sources())
        for (std::sregex_iterator it(file.text.begin(), file.text.end(), key), end; it != end; ++it) {
            ++keys;
            CHECK_MESSAGE(sources.find(it->str()) != std::string::npos, file.path << " cites " << it->str());
        }
    CHECK(keys > 0);
}

TEST_CASE("every paper cited by authors and year is in docs/sources.md") {
    const std::string sources = read_text(FROND_SOURCE_DIR "/docs/sources.md");
    const std::regex citation(
        R"(([A-Z][a-z]+)((?:, [A-Z][a-z]+)*(?: & [A-Z][A-Za-z ]+| et al\.)?) ((?:19|20)[0-9]{2})\b)");
    int citations = 0;
    for (const SourceFile& file : library_sources()) {
        const std::string text = prose(file.text);
        for (std::sregex_iterator it(text.begin(), text.end(), citation), end; it != end; ++it) {
            ++citations;
            const std::regex entry((*it)[1].str() + "[^\n]* " + (*it)[3].str());
            CHECK_MESSAGE(std::regex_search(sources, entry), file.path << " cites " << it->str());
        }
    }
    CHECK(citations > 50);
}
