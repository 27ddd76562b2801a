// SPDX-License-Identifier: BSD-3-Clause
#include "program_files.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace frond::test;

namespace {

std::vector<std::string> files_in(const std::filesystem::path& folder) {
    std::vector<std::string> files;
    if (!std::filesystem::exists(folder)) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        files.push_back(entry.path().string());
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

} // namespace

TEST_CASE("0: solved, for the kinds of matrices there are") {
    for (const char* name : {"LFAT5.mtx", "b1_ss.mtx", "494_bus.mtx.gz", "west0067.mtx.gz",
                             "young4c.mtx.gz", "c_west0067.mtx.gz"}) {
        CAPTURE(name);
        const Outcome outcome = run_frond({"solve", data(name)});
        CAPTURE(outcome.err);
        const bool is_complex = name == std::string("young4c.mtx.gz") || name[0] == 'c';
        if (is_complex && !FROND_SCALAR_Z) {
            CHECK(outcome.exit_code == 2);
            CHECK(contains(outcome.err, "leaves the scalar complex<double> out"));
            continue;
        }
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.err.empty());
        CHECK(contains(outcome.out, "solved"));
        CHECK(contains(outcome.out, "backward error"));
    }
}

TEST_CASE("0: analyze, info, help and version") {
    CHECK(run_frond({"analyze", data("494_bus.mtx.gz")}).exit_code == 0);
    CHECK(run_frond({"--help"}).exit_code == 0);
    const Outcome help = run_frond({"solve", "--help"});
    CHECK(help.exit_code == 0);
    CHECK(contains(help.out, "--ordering"));
    const Outcome version = run_frond({"--version"});
    CHECK(version.exit_code == 0);
    CHECK(contains(version.out, std::string("frond ") + FROND_VERSION_TEXT + " (commit "));
}

TEST_CASE("help is for people: no types of the parser, lines that fit, kinds with their sizes") {
    for (const char* command : {"solve", "analyze", "bench", "info", "generate"}) {
        const Outcome help = run_frond({command, "--help"});
        CAPTURE(help.out);
        CHECK(help.exit_code == 0);
        for (const char* internal :
             {"UINT", "INT", "TEXT", "REQUIRED", "Excludes", "value in", "`"})
            CHECK(!contains(help.out, internal));
        std::istringstream lines(help.out);
        for (std::string line; std::getline(lines, line);)
            if (!contains(line, "(N in ")) CHECK(line.size() <= 100);
    }
    const std::string solve = run_frond({"solve", "--help"}).out;
    CHECK(contains(solve, "--tile-size N "));
    CHECK(contains(solve, "--ordering NAME "));
    CHECK(contains(solve, "Exit codes: 0 solved"));
    const std::string generate = run_frond({"generate", "--help"}).out;
    for (const char* part : {"poisson2d", "kkt", "helmholtz3d", "N x N nodes", "(N in 1 .. 46340)"})
        CHECK(contains(generate, part));
    CHECK(!contains(generate, "solved"));
}

TEST_CASE("4: a singular matrix; 1: a backward error that nobody reaches") {
    const TemporaryFile singular(".mtx", "%%MatrixMarket matrix coordinate real general\n"
                                         "3 3 5\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n3 3 1\n");
    const TemporaryFile rhs(".mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n");
    const Outcome inconsistent = run_frond({"solve", singular.path(), "--rhs", rhs.path()});
    CAPTURE(inconsistent.out);
    CHECK(inconsistent.exit_code == 4);
    const TemporaryFile zero(".mtx", "%%MatrixMarket matrix coordinate real general\n"
                                     "1 1 1\n1 1 0\n");
    const Outcome null = run_frond({"solve", zero.path()});
    CHECK(null.exit_code == 4);
    CHECK(contains(null.out, "singular: 1 null pivot; "));

    const Outcome impossible =
        run_frond({"solve", data("west0067.mtx.gz"), "--target-backward-error", "1e-30"});
    CHECK(impossible.exit_code == 1);
    CHECK(contains(impossible.out, "inaccurate"));
}

TEST_CASE("5: numerically singular by the condition, where that was asked for") {
    // The last pivot is 8e-15: no null pivot, but a condition of 5e14, beyond 1 / (10 eps).
    const TemporaryFile close(".mtx", "%%MatrixMarket matrix coordinate real general\n"
                                      "2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1.000000000000008\n");
    const Outcome plain = run_frond({"solve", close.path()});
    CHECK(plain.exit_code == 0);
    CHECK(contains(plain.out, "hint: ill-conditioned"));
    const Outcome outcome = run_frond({"solve", close.path(), "--condition"});
    CHECK(outcome.exit_code == 5);
    CHECK(contains(outcome.out, "numerically singular: condition "));
}

TEST_CASE("0: scaling makes no condition, where that was asked for") {
    // A condition of 1e18 in the 1-norm, that of (2 1; 1 2) after a scaling of rows and columns.
    const TemporaryFile scaled(".mtx", "%%MatrixMarket matrix coordinate real general\n"
                                       "2 2 4\n1 1 2e9\n1 2 1\n2 1 1\n2 2 2e-9\n");
    const Outcome outcome = run_frond({"solve", scaled.path(), "--condition"});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "Skeel's"));
    CHECK(!contains(run_frond({"solve", scaled.path()}).out, "hint: ill-conditioned"));
}

TEST_CASE("0: a squared Laplacian is no singular matrix, by itself or scaled to a condition of 1e16") {
    constexpr int edge = 24;
    const auto laplacian = [](int i, int j) { // of a grid of edge x edge nodes
        const int dx = std::abs(i % edge - j % edge), dy = std::abs(i / edge - j / edge);
        return dx + dy == 0 ? 4.0 : dx + dy == 1 ? -1.0 : 0.0;
    };
    constexpr int n = edge * edge;
    for (const double step : {1.0, 1000.0}) {
        std::ostringstream entries;
        int count = 0;
        for (int j = 0; j < n; ++j)
            for (int i = j; i < std::min(n, j + 2 * edge + 1); ++i) {
                double sum = 0;
                for (const int d : {0, -1, 1, -edge, edge}) { // the neighbours of i
                    const int k = i + d;
                    if (k >= 0 && k < n) sum += laplacian(i, k) * laplacian(k, j);
                }
                const double scale = std::pow(step, (i % 5 + j % 5) / 2.0);
                if (sum != 0) ++count, entries << i + 1 << ' ' << j + 1 << ' ' << sum * scale << '\n';
            }
        const TemporaryFile squared(".mtx", "%%MatrixMarket matrix coordinate real symmetric\n" + std::to_string(n) +
                                                " " + std::to_string(n) + " " + std::to_string(count) + "\n" +
                                                entries.str());
        const Outcome outcome = run_frond({"solve", squared.path(), "--condition", "--json", "-"});
        CAPTURE(step);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
        const auto condition = nlohmann::json::parse(outcome.out)["condition"];
        CHECK(condition["reciprocal_condition"].get<double>() < (step > 1 ? 1e-15 : 1e-4));
        CHECK(condition["skeel_condition"].get<double>() < 1e8);
    }
}

TEST_CASE("4: null pivots as an error name their columns and rows") {
    const TemporaryFile singular(".mtx", "%%MatrixMarket matrix coordinate real general\n"
                                         "3 3 5\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n3 3 1\n");
    const Outcome outcome = run_frond({"solve", singular.path(), "--null-pivots", "error"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 4);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, "frond: the matrix is singular: 1 null pivot, columns "));
    CHECK(contains(outcome.err, "; correct them"));
    CHECK(contains(outcome.err, "--null-pivot-tolerance"));
    CHECK(contains(run_frond({"solve", singular.path()}).out, "--null-pivot-tolerance"));
}

TEST_CASE("6: not positive definite, when L L^T was asked for") {
    const TemporaryFile indefinite(".mtx", "%%MatrixMarket matrix coordinate real symmetric\n"
                                           "2 2 3\n1 1 1\n2 1 3\n2 2 1\n");
    const Outcome outcome = run_frond({"solve", indefinite.path(), "--factorization", "llt"});
    CHECK(outcome.exit_code == 6);
    CHECK(contains(outcome.out, "not positive definite"));
    CHECK(run_frond({"solve", indefinite.path()}).exit_code == 0);
}

TEST_CASE("2: what is wrong with the command line is said, with the nearest spelling") {
    const std::string matrix = data("LFAT5.mtx");
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{}, "which command?"},
        {{"slove", matrix}, "did you mean solve?"},
        {{"--verzion"}, "--verzion"},
        {{"solve", matrix, "--no-such=3"}, "unknown flag --no-such"},
        {{"solve"}, "matrix"},
        {{"solve", matrix, "--orderng", "metis"}, "did you mean --ordering?"},
        {{"solve", matrix, "--ordering", "mets"}, "did you mean 'metis'?"},
        {{"solve", matrix, "--tile-size=-3"}, "tile_size"},
        {{"solve", matrix, "--precision", "half"}, "--precision: 'half' is neither"},
        {{"solve", matrix, "--random-rhs", "0"}, "--random-rhs: '0' is not a whole number in 1"},
        {{"solve", matrix, "--random-rhs", "2x"}, "--random-rhs: '2x' is not a whole number"},
        {{"solve", matrix, "--random-rhs", "2", "--rhs", matrix}, "give one of them"},
        {{"solve", matrix, "--ordering"}, "--ordering: its value is missing"},
        {{"solve", matrix, "other.mtx"}, "other.mtx"},
        {{"solve", "no_such_file.mtx"}, "no_such_file.mtx"},
        {{"solve", "generate:poison3d:4"}, "poison3d"},
        {{"solve", "generate:poisson3d:-4"}, "-4"},
        {{"generate", "poisson2d", "many"}, "many"},
        {{"solve", matrix, "--json", "/no/such/folder/x.json"}, "/no/such/folder"},
        {{"solve", matrix, "--out", "/no/such/folder/x.mtx"}, "/no/such/folder"},
        {{"solve", matrix, "--out", "x.mtx.xz"}, "x.mtx.xz: frond does not write .xz; write .gz"},
        {{"solve", matrix, "--rhs", "no_such_rhs.mtx"}, "no_such_rhs.mtx"},
        {{"solve", matrix, "--rhs", data("young4c.mtx.gz")}, "young4c"},
        {{"solve", data("malformed")}, "malformed: cannot be read: it is a folder"},
        {{"solve", matrix, "--rhs", data("malformed")}, "it is a folder"},
        {{"solve", matrix, "--scheduler", "foo"}, "'foo' is not a scheduler of this StarPU; it knows"},
        {{"solve", matrix, "--scheduler", "foo"}, "lws"},
        {{"solve", matrix, "--cpu-workers", "1000"}, "cpu_workers = 1000 is more than the "},
        {{"solve", data("lp_afiro.mtx")}, "27 rows and 51 columns"}};
    for (const auto& [arguments, part] : cases) {
        const Outcome outcome = run_frond(arguments);
        CAPTURE(part);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(contains(outcome.err, part));
        // "frond: <what>: <reason>; <cure>" and neither classes nor what the parser calls types.
        CHECK(outcome.err.starts_with("frond: "));
        CHECK((contains(outcome.err, "; ") || contains(outcome.err, "did you mean")));
        for (const char* internal : {"invalid_", "Check ", "FAILED", "required", "TEXT"})
            CHECK(!contains(outcome.err, internal));
    }
    const Outcome missing = run_frond({"solve", "no/such.mtx"});
    CHECK(contains(missing.err, "frond: no/such.mtx: cannot be read: No such file or directory; "));
    const Outcome other_rows = run_frond({"solve", matrix, "--rhs", data("young4c.mtx.gz")});
    CHECK(contains(other_rows.err, "young4c.mtx.gz: "));
}

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
    CHECK(line > 100); // of 1094
    CHECK(line < 1094);
    CHECK(contains(outcome.err, "cut short here (unexpected end of file); "));
}

TEST_CASE("values at both ends of the range are scaled, a size beyond it is named") {
    const TemporaryFile wide(".mtx", "%%MatrixMarket matrix coordinate real general\n"
                                     "2 2 2\n1 1 1e308\n2 2 1e-308\n");
    const Outcome scaled = run_frond({"solve", wide.path()});
    CAPTURE(scaled.err);
    CHECK(scaled.exit_code == 0);
#if FROND_SCALAR_Z
    const TemporaryFile large(".mtx", "%%MatrixMarket matrix coordinate complex general\n"
                                      "2 2 2\n1 1 1 0\n2 2 1.5e308 1.5e308\n");
    const Outcome outcome = run_frond({"solve", large.path(), "--scaling", "none"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "frond: " + large.path() + ": entry (1, 1) (counted from 0) = "));
    CHECK(contains(outcome.err, "overflows double precision"));
#endif
}

TEST_CASE("a part of a solve claims no error") {
    const Outcome outcome = run_frond({"solve", data("494_bus.mtx.gz"), "--part", "forward"});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "part of a solve done: its errors are not measured"));
    CHECK_FALSE(contains(outcome.out, "componentwise"));
}

TEST_CASE("4: b outside the range of a singular matrix") {
    const TemporaryFile a(".mtx", "%%MatrixMarket matrix coordinate real general\n"
                                  "2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n");
    const TemporaryFile b(".mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n0\n");
    const Outcome outcome = run_frond({"solve", a.path(), "--rhs", b.path()});
    CHECK(outcome.exit_code == 4);
    CHECK(contains(outcome.out, "singular: 1 null pivot; not solved, b seems to be outside its range"));
}

TEST_CASE("a grid of another matrix is taken as asked, with a warning that names both flops") {
    const auto run = [](const char* grid) {
        return run_frond({"solve", "generate:poisson2d:40", "--ordering", "geometric", "--grid", grid});
    };
    const Outcome right = run("40x40x1");
    CHECK(right.exit_code == 0);
    CHECK(right.err.empty());
    const Outcome wrong = run("80x20x1");
    CAPTURE(wrong.err);
    CHECK(wrong.exit_code == 0);
    CHECK(wrong.err.starts_with("frond: the grid 80x20x1 does not fit the matrix, "));
    CHECK(contains(wrong.err, "flop by it, "));
    CHECK(contains(wrong.err, "flop by nested_dissection; correct --grid"));
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

TEST_CASE("info: GPUs that cannot be had, and the options that it uses") {
    const Outcome asked = run_frond({"info", "--gpus", "99"});
    CAPTURE(asked.out);
    CHECK(asked.exit_code == 2);
    CHECK(contains(asked.err, "frond: gpus = 99, but "));
    for (const char* part : {"processor", "CPU workers", "GPUs", "refused      gpus = 99"})
        CHECK(contains(asked.out, part));
    const std::string help = run_frond({"info", "--help"}).out;
    CHECK(contains(help, "--cpu-workers"));
    CHECK(contains(help, "--gpus"));
    for (const char* other : {"--ordering", "--pivoting", "--rhs-block", "--memory-budget-bytes"})
        CHECK_FALSE(contains(help, other));
    CHECK(run_frond({"info", "--ordering", "amd"}).exit_code == 2);
}

TEST_CASE("2: the ordering by a grid without one, or with another grid") {
    const Outcome none = run_frond({"solve", data("494_bus.mtx.gz"), "--ordering", "geometric"});
    CHECK(none.exit_code == 2);
    CHECK(contains(none.err, "the ordering `geometric` needs the option `grid`; give --grid NXxNYxNZ"));
    CHECK_FALSE(contains(none.err, "required:"));
    const Outcome other = run_frond(
        {"solve", data("494_bus.mtx.gz"), "--ordering", "geometric", "--grid", "31x30"});
    CHECK(other.exit_code == 2);
    CHECK(contains(other.err, "the grid has 930 unknowns, the matrix 494 columns; correct `grid` or"));
}

TEST_CASE("2: a wrong environment variable is named") {
    const Outcome outcome = run_frond({"solve", data("LFAT5.mtx")}, {{"FROND_ORDERING", "mets"}});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "FROND_ORDERING"));
}

TEST_CASE("a variable that is no option is warned of, others of Frond are not") {
    const Outcome wrong = run_frond({"solve", data("LFAT5.mtx")}, {{"FROND_ORDERNG", "metis"}});
    CAPTURE(wrong.err);
    CHECK(wrong.exit_code == 0);
    CHECK(contains(wrong.err, "FROND_ORDERNG is no option and has no effect; did you mean FROND_ORDERING?"));
    const Outcome known = run_frond({"solve", data("LFAT5.mtx")}, {{"FROND_ORDERING", "amd"},
                                                                   {"FROND_MATRICES", "/nowhere"},
                                                                   {"FROND_HIP_ARCHITECTURES", "gfx90a"}});
    CHECK(known.exit_code == 0);
    CHECK_FALSE(contains(known.err, "has no effect"));
}

TEST_CASE("2: a device that cannot be had is refused with the cure") {
    const Outcome place = run_frond({"solve", data("LFAT5.mtx"), "--gpus", "0", "--place", "device"});
    CHECK(place.exit_code == 2);
    CHECK(contains(place.err, "place = device, but "));
    CHECK(contains(place.err, "; use automatic or host\n"));
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
    for (const std::string& file : shared) check_refused(file);
}

TEST_CASE("3: a memory budget that cannot do") {
    const Outcome outcome =
        run_frond({"solve", "generate:poisson3d:12", "--memory-budget-bytes", "64K"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 3);
    CHECK(contains(outcome.err, "memory_budget"));
}

TEST_CASE("3: a device that is full, whatever is written to it") {
    for (const char* flag : {"--out", "--json"}) {
        CAPTURE(flag);
        const Outcome outcome = run_frond({"solve", data("LFAT5.mtx"), flag, "/dev/full"});
        CHECK(outcome.exit_code == 3);
        CHECK(contains(outcome.err, "frond: /dev/full cannot be "));
        CHECK(contains(outcome.err, "No space left on device; "));
    }
}

TEST_CASE("3: StarPU that cannot start") {
    const Outcome outcome =
        run_frond({"solve", data("LFAT5.mtx")}, {{"STARPU_NCPU", "0"}, {"STARPU_NCUDA", "0"}});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 3);
    CHECK(!outcome.err.empty());
}

TEST_CASE("flags win over the environment") {
    const Outcome outcome = run_frond({"solve", data("494_bus.mtx.gz"), "--ordering", "amd"},
                                      {{"FROND_ORDERING", "natural"}});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "amd"));
    CHECK(
        contains(run_frond({"solve", data("494_bus.mtx.gz")}, {{"FROND_ORDERING", "natural"}}).out,
                 "natural"));
}
