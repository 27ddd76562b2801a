// SPDX-License-Identifier: BSD-3-Clause
// --ordering user: the order comes from a file.
#include "run_program.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace frond::test;
using Json = nlohmann::json;

namespace {

constexpr int order = 40;

// An arrow: first row and column are full. First eliminated it fills everything, last nothing.
std::string arrow() {
    std::string text = "%%MatrixMarket matrix coordinate real symmetric\n40 40 79\n";
    for (int i = 2; i <= order; ++i)
        text += std::to_string(i) + " 1 1\n" + std::to_string(i) + " " + std::to_string(i) + " 50\n";
    return text + "1 1 50\n";
}

// 2 .. 40 and 1, or 1 .. 40: `separator` between the columns.
std::string columns(bool first_is_last, const std::string& separator) {
    std::string text;
    for (int k = 0; k < order; ++k) text += std::to_string(first_is_last ? (k + 1) % order + 1 : k + 1) + separator;
    return text;
}

long factor_entries(const std::string& matrix, const std::string& order_file) {
    const Outcome outcome = run_frond({"solve", matrix, "--user-order", order_file, "--factorization", "llt",
                                       "--amalgamation-zeros", "1e-9", "--json", "-"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json run = Json::parse(outcome.out);
    CHECK(run["analysis"]["ordering"] == "user");
    return run["analysis"]["factor_entries"].get<long>();
}

}  // namespace

TEST_CASE("columns are eliminated in the order of the file") {
    const TemporaryFile matrix(".mtx", arrow());
    const TemporaryFile full(".txt", "# worst\n" + columns(false, "\n"));
    const TemporaryFile sparse(".txt", columns(true, " "));
    const TemporaryFile array(".mtx",
                              "%%MatrixMarket matrix array integer general\n% best\n40 1\n" + columns(true, "\n"));
    CHECK(factor_entries(matrix.path(), full.path()) == order * (order + 1) / 2);
    CHECK(factor_entries(matrix.path(), sparse.path()) == 2 * order - 1);
    CHECK(factor_entries(matrix.path(), array.path()) == 2 * order - 1);
}

TEST_CASE("a wrong order is refused with file, line, value and cure") {
    const TemporaryFile matrix(".mtx",
                               "%%MatrixMarket matrix coordinate real general\n"
                               "3 3 3\n1 1 1\n2 2 1\n3 3 1\n");
    const std::string array = "%%MatrixMarket matrix array integer general\n";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"1\n2\n4\n", ":3: column 4 is outside 1 .. 3; give each"},
        {"1\n0\n2\n", ":2: column 0 is outside"},
        {"1\n2\n99999999999\n", ":3: column 99999999999 is outside"},
        {"3 1\n3\n", ":2: column 3 is already on line 1; "},
        {"1\ntwo\n", ":2: 'two' is not a whole number; "},
        {"1\n2.5\n", ":2: '2.5' is not a whole number; "},
        {"1\n2\n", ":2: the file ends after 2 of 3 columns; "},
        {"1 2 3 1", ":1: column 1 is already"},
        {array + "4 1\n1\n2\n3\n4\n", ":2: the size must be 3 1"},
        {"%%MatrixMarket matrix coordinate real general\n", ":1: an order is a 'matrix array"}};
    for (const auto& [text, part] : cases) {
        CAPTURE(text);
        const TemporaryFile file(".txt", text);
        const Outcome outcome = run_frond({"solve", matrix.path(), "--ordering", "user", "--user-order", file.path()});
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err.find(file.path() + part) != std::string::npos);
    }
}

TEST_CASE("user and its file go together") {
    const TemporaryFile file(".txt", "1 2 3");
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"solve", "generate:poisson2d:2", "--ordering", "user"}, "--user-order FILE"},
        {{"analyze", "generate:poisson2d:2", "--ordering", "user"}, "--user-order FILE"},
        {{"solve", "generate:poisson2d:2", "--ordering", "amd", "--user-order", file.path()}, "the ordering is amd; "},
        {{"solve", "generate:poisson2d:2", "--user-order", "no_such_order"}, "no_such_order: cannot be read: "}};
    for (const auto& [arguments, part] : cases) {
        const Outcome outcome = run_frond(arguments);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err.find(part) != std::string::npos);
    }
    CHECK(run_frond({"info"}, {{"FROND_ORDERING", "user"}}).exit_code == 0);
}
