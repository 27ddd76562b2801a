// SPDX-License-Identifier: BSD-3-Clause
// Systems that are solved, exit code 0, and what the machine does not give, exit code 3; and what is said of interrupts.
#include "frond/base/error.hpp"
#include "run/run_error.hpp"
#include "program_files.hpp"
#include "run_program.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace frond::test;

namespace {

template <class Exception>
std::string said_of(const Exception& exception) {
    try {
        throw exception;
    } catch (...) {
        return frond::cli::current_error().message;
    }
}

}  // namespace

TEST_CASE("0: solved, for the kinds of matrices there are") {
    for (const char* name :
         {"LFAT5.mtx", "b1_ss.mtx", "494_bus.mtx.gz", "west0067.mtx.gz", "young4c.mtx.gz", "c_west0067.mtx.gz"}) {
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

TEST_CASE("3: a memory budget that cannot do") {
    const Outcome outcome = run_frond({"solve", "generate:poisson3d:12", "--memory-budget-bytes", "64K"});
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
    const Outcome outcome = run_frond({"solve", data("LFAT5.mtx")}, {{"STARPU_NCPU", "0"}, {"STARPU_NCUDA", "0"}});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 3);
    CHECK(!outcome.err.empty());
}

TEST_CASE("3: cores that are all reserved, with the variable that did it") {
    const Outcome outcome =
        run_frond({"solve", data("LFAT5.mtx")},
                  {{"STARPU_NCPU", "2"}, {"STARPU_NCUDA", "0"}, {"STARPU_NHIP", "0"}, {"STARPU_RESERVE_NCPU", "5"}});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 3);
    CHECK(contains(outcome.err, "STARPU_RESERVE_NCPU = 5 leaves no worker of 2; lower the variable or unset it"));
}

TEST_CASE("an interrupt after the solution was written says so, also between ranks") {
    const std::string expected = "interrupted: the solution was written to x.mtx, and then the work stopped";
    const frond::cli::CancelledLater later("x.mtx");
    CHECK(said_of(later) == expected);
    CHECK(said_of(frond::Cancelled(later.what())) == expected);  // as other ranks have it
    CHECK(said_of(frond::Cancelled(std::string("rank 0: ") + later.what())) == expected);
    CHECK(said_of(frond::Cancelled("the factorization was cancelled")) ==
          "interrupted: the work stopped, no result was written");
}
