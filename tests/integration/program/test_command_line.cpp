// SPDX-License-Identifier: BSD-3-Clause
// Flags, variables and the help on them: what is wrong is said with its cure, exit code 2.
#include "program_files.hpp"
#include "run_program.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace frond::test;

TEST_CASE("help is for people: no types of the parser, lines that fit, kinds with their sizes") {
    for (const char* command : {"solve", "analyze", "bench", "info", "generate"}) {
        const Outcome help = run_frond({command, "--help"});
        CAPTURE(help.out);
        CHECK(help.exit_code == 0);
        for (const char* internal : {"UINT", "INT", "TEXT", "REQUIRED", "Excludes", "value in", "`"})
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

TEST_CASE("frond alone names the commands that --help lists") {
    const std::string help = run_frond({"--help"}).out, alone = run_frond({}).err;
    for (const char* command : {"solve", "solve-dense", "analyze", "trace", "bench", "simulate", "study", "calibrate",
                                "tune", "info", "generate", "manual"}) {
        CAPTURE(command);
        CHECK(contains(alone, command) == contains(help, std::string("\n  ") + command + " "));
    }
    CHECK(contains(alone, "study"));
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
    const Outcome other = run_frond({"solve", data("494_bus.mtx.gz"), "--ordering", "geometric", "--grid", "31x30"});
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
    const Outcome known =
        run_frond({"solve", data("LFAT5.mtx")},
                  {{"FROND_ORDERING", "amd"}, {"FROND_MATRICES", "/nowhere"}, {"FROND_HIP_ARCHITECTURES", "gfx90a"}});
    CHECK(known.exit_code == 0);
    CHECK_FALSE(contains(known.err, "has no effect"));
}

TEST_CASE("2: a device that cannot be had is refused with the cure") {
    const Outcome place = run_frond({"solve", data("LFAT5.mtx"), "--gpus", "0", "--place", "device"});
    CHECK(place.exit_code == 2);
    CHECK(contains(place.err, "place = device, but "));
    CHECK(contains(place.err, "; use automatic or host\n"));
}

TEST_CASE("flags win over the environment") {
    const Outcome outcome =
        run_frond({"solve", data("494_bus.mtx.gz"), "--ordering", "amd"}, {{"FROND_ORDERING", "natural"}});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "amd"));
    CHECK(contains(run_frond({"solve", data("494_bus.mtx.gz")}, {{"FROND_ORDERING", "natural"}}).out, "natural"));
}
