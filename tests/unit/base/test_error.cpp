// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace frond;

namespace {

constexpr ErrorCode all_codes[] = {
    ErrorCode::invalid_argument, ErrorCode::invalid_matrix, ErrorCode::out_of_memory, ErrorCode::memory_budget_exceeded,
    ErrorCode::device_error,     ErrorCode::runtime_error,  ErrorCode::cancelled,     ErrorCode::singular_matrix,
};

}  // namespace

TEST_CASE("every code has its own name, a meaning and a cure, each a sentence") {
    std::set<std::string> names;
    for (const ErrorCode code : all_codes) {
        const std::string name = to_string(code);
        CAPTURE(name);
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
        CHECK(names.insert(name).second);
        for (const std::string text : {meaning(code), cure(code)}) {
            CHECK(text.size() > 10);
            CHECK(text.back() == '.');
        }
        CHECK(std::string(meaning(code)) != cure(code));
    }
    CHECK(std::string(to_string(ErrorCode::memory_budget_exceeded)) == "memory_budget_exceeded");
    CHECK(std::string(to_string(ErrorCode::cancelled)) == "cancelled");
}

TEST_CASE("each exception carries its code and its facts") {
    CHECK(InvalidArgument("m").code() == ErrorCode::invalid_argument);
    CHECK(DeviceError("m").code() == ErrorCode::device_error);
    CHECK(RuntimeError("m").code() == ErrorCode::runtime_error);
    CHECK(Cancelled("m").code() == ErrorCode::cancelled);

    const InvalidMatrix matrix("bad entry", "a.mtx", 17);
    CHECK(matrix.code() == ErrorCode::invalid_matrix);
    CHECK(std::string(matrix.what()) == "bad entry");
    CHECK(matrix.file() == "a.mtx");
    CHECK(matrix.line() == 17);
    CHECK(InvalidMatrix("in memory").file().empty());

    const OutOfMemory memory("no", 1000);
    CHECK(memory.code() == ErrorCode::out_of_memory);
    CHECK(memory.requested_bytes() == 1000);

    const SingularMatrix singular({2, 5, 6, 7, 8, 9}, {1, 3});
    CHECK(singular.code() == ErrorCode::singular_matrix);
    CHECK(singular.columns().size() == 6);
    CHECK(singular.rows() == std::vector<index_t>{1, 3});
    CHECK(std::string(singular.what()) ==
          "the matrix is singular: 6 null pivots, columns 2, 5, 6, 7, 8 ..., rows 1, 3 (counted "
          "from 0); correct them, take null_pivots = zero, or lower null_pivot_tolerance where so small "
          "values are meant");
    CHECK(std::string(SingularMatrix({4}, {}).what()).find("1 null pivot, columns 4 (") != std::string::npos);

    const MemoryBudgetExceeded budget("no", 2000, 1000);
    CHECK(budget.code() == ErrorCode::memory_budget_exceeded);
    CHECK(budget.needed_bytes() == 2000);
    CHECK(budget.budget_bytes() == 1000);
}

TEST_CASE("all are caught as Error and as std::exception") {
    CHECK_THROWS_AS(throw OutOfMemory("x"), Error);
    CHECK_THROWS_AS(throw Cancelled("x"), std::runtime_error);
}

TEST_CASE("FROND_EXPECTS throws InvalidArgument with message and condition, and only on failure") {
    int built = 0;
    const auto message = [&] {
        ++built;
        return std::string("tile_size is -3");
    };
    FROND_EXPECTS(1 + 1 == 2, message());
    CHECK(built == 0);
    try {
        FROND_EXPECTS(built > 0, message());
        FAIL("nothing thrown");
    } catch (const InvalidArgument& error) {
        const std::string text = error.what();
        CHECK(text.find("tile_size is -3") != std::string::npos);
        CHECK(text.find("built > 0") != std::string::npos);
    }
}
