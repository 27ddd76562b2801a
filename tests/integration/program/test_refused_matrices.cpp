// SPDX-License-Identifier: BSD-3-Clause
// Matrix files that are refused, exit code 2: malformed ones, and values that the precision asked for does not hold.
#include "program_files.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace frond::test;

namespace {

std::vector<std::string> files_in(const std::filesystem::path& folder) {
    std::vector<std::string> files;
    if (!std::filesystem::exists(folder)) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

// What is wrong with these is not one line: an empty file, entries that disagree
// with each other, sizes that no memory holds.
bool concerns_whole_file(const std::string& name) {
    for (const char* whole : {"empty", "hermitian_disagrees", "huge_sizes"})
        if (contains(name, whole)) return true;
    return false;
}

// Refused with exit code 2, and the message says file, line and reason.
void check_refused(const std::string& file) {
    CAPTURE(file);
    const Outcome outcome = run_frond({"solve", file});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    // "folder/file.mtx:3: the value is not a number, found '1 1 ?'; ..."
    const std::string name = std::filesystem::path(file).filename().string(), place = name + ":";
    const std::size_t at = outcome.err.find(place);
    REQUIRE(at != std::string::npos);
    const auto after = static_cast<unsigned char>(outcome.err[at + place.size()]);
    CHECK((std::isdigit(after) || concerns_whole_file(name)));
    CHECK(contains(outcome.err, "; "));
}

}  // namespace

TEST_CASE("2: a gzip file that was cut short: name, line, reason") {
    std::ifstream whole(data("494_bus.mtx.gz"), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(whole)), std::istreambuf_iterator<char>());
    const TemporaryFile half(".mtx.gz", bytes.substr(0, bytes.size() / 2));
    const Outcome outcome = run_frond({"solve", half.path()});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    const std::size_t named = outcome.err.find(half.path() + ":");
    REQUIRE(named != std::string::npos);
    CHECK(outcome.err.find(half.path(), named + 1) == std::string::npos);
    const int line = std::atoi(outcome.err.c_str() + named + half.path().size() + 1);
    CHECK(line > 100);  // of 1094
    CHECK(line < 1094);
    CHECK(contains(outcome.err, "cut short here (unexpected end of file); "));
}

TEST_CASE("values at both ends of the range are scaled, a size beyond it is named") {
    const TemporaryFile wide(".mtx",
                             "%%MatrixMarket matrix coordinate real general\n"
                             "2 2 2\n1 1 1e308\n2 2 1e-308\n");
    const Outcome scaled = run_frond({"solve", wide.path()});
    CAPTURE(scaled.err);
    CHECK(scaled.exit_code == 0);
#if FROND_SCALAR_Z
    const TemporaryFile large(".mtx",
                              "%%MatrixMarket matrix coordinate complex general\n"
                              "2 2 2\n1 1 1 0\n2 2 1.5e308 1.5e308\n");
    const Outcome outcome = run_frond({"solve", large.path(), "--scaling", "none"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "frond: " + large.path() + ": entry (1, 1) (counted from 0) = "));
    CHECK(contains(outcome.err, "overflows double precision"));
#endif
}

TEST_CASE("2: a value that single precision would lose is named") {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    const TemporaryFile small(".mtx", head + "2 2 2\n1 1 1\n2 2 1e-200\n"), large(".mtx", head + "1 1 1\n1 1 1e200\n");
    const Outcome under = run_frond({"solve", small.path(), "--precision", "single"});
    CHECK(under.exit_code == 2);
    CHECK(contains(under.err, small.path() + ": entry (2, 2) of size 1.000e-200 is too small for single precision"));
    const Outcome over = run_frond({"solve", large.path(), "--precision", "single"});
    CHECK(over.exit_code == 2);
    CHECK(contains(over.err, large.path() + ": entry (1, 1) of size 1.000e+200 is too large for single precision"));
#if FROND_SCALAR_S
    // Beside larger entries the same is rounding.
    const TemporaryFile rounding(".mtx", head + "2 2 3\n1 1 1\n2 1 1e-200\n2 2 1\n");
    const Outcome lost = run_frond({"solve", rounding.path(), "--precision", "single"});
    CHECK(lost.exit_code == 0);
    CHECK(contains(lost.out, "underflow          1"));
    const TemporaryFile rhs(".mtx", "%%MatrixMarket matrix array real general\n2 1\n1e-200\n0\n");
    const Outcome b = run_frond({"solve", rounding.path(), "--precision", "single", "--rhs", rhs.path()});
    CHECK(b.exit_code == 2);
    CHECK(contains(b.err, rhs.path() + ": entry (1, 1) of size 1.000e-200 is too small"));
#endif
}

TEST_CASE("2: malformed files are refused with file and line") {
    const std::vector<std::string> own = files_in(data("malformed"));
    CHECK(own.size() > 10);
    for (const std::string& file : own) check_refused(file);
    const char* folder = std::getenv("FROND_MATRICES");
    if (!folder || !*folder) return;
    const std::vector<std::string> shared = files_in(std::string(folder) + "/malformed/bad");
    CAPTURE(folder);
    REQUIRE(shared.size() >= 80);
    for (const std::string& file : shared)
        if (!contains(file, "own_symmetric_upper")) check_refused(file);  // which is read as what it is
}

TEST_CASE("0: one triangle, of a symmetric file the upper one, of a general matrix by itself, is told") {
    const std::string head = "%%MatrixMarket matrix coordinate real ", lines = "2 2 3\n1 1 2\n1 2 -1\n2 2 2\n";
    const TemporaryFile symmetric(".mtx", head + "symmetric\n" + lines), general(".mtx", head + "general\n" + lines);
    const Outcome mirrored = run_frond({"solve", symmetric.path()}), alone = run_frond({"solve", general.path()});
    CHECK(mirrored.exit_code == 0);
    CHECK(contains(mirrored.out, "L L^T"));
    CHECK(contains(mirrored.out, "upper             in the file, against the format"));
    CHECK(alone.exit_code == 0);
    CHECK(contains(alone.out, "upper             alone: solved as triangular"));
    CHECK_FALSE(contains(run_frond({"solve", "generate:poisson2d:5"}).out, "triangle  "));
}
