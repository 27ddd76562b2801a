// SPDX-License-Identifier: BSD-3-Clause
#include "function_lengths.hpp"
#include "source_tree.hpp"

#include <doctest/doctest.h>

#include <map>

namespace {

using namespace frond::hygiene;

constexpr int soft_file = 400, hard_file = 600;
constexpr int soft_function = 60, hard_function = 100, hard_library_function = 40;
constexpr int most_in_folder = 15;

std::vector<SourceFile> all_sources() {
    return source_files({"analysis", "codelets", "runtime", "cli", "tools", "bench", "tests", "docs"});
}

}  // namespace

TEST_CASE("files have at most 600 lines") {
    const std::set<std::string> excepted = exceptions("file_length");
    int long_ones = 0;
    for (const SourceFile& file : all_sources()) {
        const int lines = line_count(file.text);
        if (lines > soft_file) {
            ++long_ones;
            MESSAGE(file.path << ": " << lines << " lines");
        }
        if (!excepted.contains(file.path)) CHECK_MESSAGE(lines <= hard_file, file.path << " has " << lines << " lines");
    }
    MESSAGE(long_ones << " files above " << soft_file << " lines");
}

TEST_CASE("functions have at most 100 lines") {
    const std::set<std::string> excepted = exceptions("function_length");
    int functions = 0, long_ones = 0;
    for (const SourceFile& file : all_sources())
        for (const FunctionLength& f : function_lengths(file.text)) {
            ++functions;
            if (f.lines > soft_function) {
                ++long_ones;
                MESSAGE(file.path << ":" << f.first_line << ": " << f.lines << " lines: " << f.head);
            }
            if (!excepted.contains(file.path))
                CHECK_MESSAGE(f.lines <= hard_function,
                              file.path << ":" << f.first_line << " has " << f.lines << " lines");
        }
    CHECK(functions > 1000);
    MESSAGE(long_ones << " of " << functions << " functions above " << soft_function << " lines");
}

TEST_CASE("functions of the library have at most 40 lines") {
    const std::set<std::string> excepted = exceptions("library_function_length");
    for (const SourceFile& file : source_files({"analysis", "codelets", "runtime"}))
        for (const FunctionLength& f : function_lengths(file.text))
            if (!excepted.contains(file.path))
                CHECK_MESSAGE(f.lines <= hard_library_function,
                              file.path << ":" << f.first_line << " has " << f.lines << " lines");
}

TEST_CASE("folders hold at most 15 sources, with the headers beside them") {
    const std::set<std::string> excepted = exceptions("folder_size");
    std::map<std::string, int> sources;
    for (const SourceFile& file : all_sources())
        if (file.path.ends_with(".cpp")) ++sources[file.path.substr(0, file.path.rfind('/'))];
    CHECK(sources.size() > 50);
    for (const auto& [folder, count] : sources)
        if (!excepted.contains(folder))
            CHECK_MESSAGE(count <= most_in_folder, folder << " has " << count << " sources");
}

TEST_CASE("functions are measured from head to closing brace") {
    const char* source =
        "#define M(x) \\\n  { x }\n"  // 1, 2
        "namespace a {\n"  // 3
        "struct S {\n"  // 4
        "    int x{0};\n"  // 5
        "    S(int y, T t = {})\n"  // 6
        "        : x{y},\n"  // 7
        "          z(y) {\n"  // 8
        "        f(\"}\"); // }\n"  // 9
        "    }\n"  // 10
        "};\n"  // 11
        "template<class T = A<B>>\n"  // 12
        "auto f(T x)\n"  // 13
        "    -> int try {\n"  // 14
        "    return [&] { return x; }();\n"
        "} catch (int) {\n"  // 16
        "    return '}';\n"  // 17
        "}\n"  // 18
        "int table[] = {1, 2};\n"  // 19
        "FROND_DEFINE(a, b)\n"  // 20
        "FROND_INLINE int g() { return 1; }\n"  // 21
        "FROND_DEFINE(c)\n"  // 22
        "}\n"
        "FROND_DEFINE(d)\n"  // 24
        "namespace b {\n"  // 25
        "int h() { return 1; }\n"  // 26
        "}\n";
    const auto f = function_lengths(source);
    REQUIRE(f.size() == 4);
    CHECK(f[0].first_line == 6);
    CHECK(f[0].lines == 5);
    CHECK(f[1].first_line == 13);
    CHECK(f[1].lines == 6);
    CHECK(f[2].head == "int g() ");
    CHECK(f[2].lines == 1);
    CHECK(f[3].first_line == 26);
    CHECK(f[3].lines == 1);
}
