// SPDX-License-Identifier: BSD-3-Clause
// What users see holds nothing that is meant for the library's inside or for its tests.
#include "include_rules.hpp"
#include "source_tree.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>

namespace {

using namespace frond::hygiene;

std::vector<SourceFile> public_headers() { return source_files({"analysis/include", "runtime/include"}); }

/// A function that gives out what is behind an object.
bool gives_out_state(const std::string& header) {
    static const std::regex accessor(R"(\bstate\s*\(\s*\))");
    return std::regex_search(without_comments(header, true), accessor);
}

/// A comment that says of something that it is for tests, or for other parts of the library.
bool speaks_of_the_inside(const std::string& header) {
    static const std::regex reason(R"(\b(for|of) (the |its )?(tests?|layers|inside)\b|\binternal\b)",
                                   std::regex::icase);
    return std::regex_search(only_comments(header), reason);
}

bool is_public(const std::string& name) {
    const std::filesystem::path root = FROND_SOURCE_DIR;
    return exists(root / "analysis/include" / name) || exists(root / "runtime/include" / name);
}

}  // namespace

TEST_CASE("public headers give out no state, and hold nothing for tests") {
    const std::vector<SourceFile> headers = public_headers();
    REQUIRE(headers.size() > 20);
    for (const SourceFile& header : headers) {
        CHECK_MESSAGE(!gives_out_state(header.text), header.path << " has a function state()");
        CHECK_MESSAGE(!speaks_of_the_inside(header.text), header.path << " holds something that is not for users");
    }
    CHECK(gives_out_state("const State& state( ) const;"));
    CHECK_FALSE(gives_out_state("// state()\nint state_of_things();"));
    CHECK(speaks_of_the_inside("/// For the layers inside.\nint f();"));
    CHECK(speaks_of_the_inside("int f();  // for tests of refusals"));
    CHECK_FALSE(speaks_of_the_inside("int f(int for_tests);  // the latest result"));
}

TEST_CASE("public headers include public headers alone") {
    int seen = 0;
    for (const SourceFile& header : public_headers())
        for (const Include& include : includes_of(header.text)) {
            if (!include.quoted) continue;
            ++seen;
            CHECK_MESSAGE(is_public(include.name), header.path << " includes " << include.name);
        }
    CHECK(seen > 30);
    CHECK(std::filesystem::exists(FROND_SOURCE_DIR "/analysis/internal/frond/analysis/steps.hpp"));
    CHECK_FALSE(is_public("frond/analysis/steps.hpp"));
}
