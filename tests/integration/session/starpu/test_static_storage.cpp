// SPDX-License-Identifier: BSD-3-Clause
// Sessions and solvers that begin before main() and end after it.
#include "child_process.hpp"
#include "frond/frond.h"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "solved_rightly.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Factors before main(), before variables of the library are made, and after it.
class Early {
public:
    Early() : is_asked_for_(getenv("FROND_TEST_STATIC_STORAGE") != nullptr) {
        if (is_asked_for_) use();
    }
    ~Early() {
        if (is_asked_for_ && !use()) _exit(9);
    }
    bool is_right() const { return is_right_; }

private:
    bool use() {
        if (!session_) session_.emplace(SessionOptions{.cpu_workers = 2, .gpus = 0});
        if (!solver_) solver_.emplace(*session_);
        const auto a = poisson3d<double>(14).matrix;
        solver_->factor(a);
        is_right_ = solved_rightly(*solver_, a) && session_->info().owns_starpu;
        return is_right_;
    }

    const bool is_asked_for_;
    bool is_right_ = false;
    std::optional<Session> session_;
    std::optional<Solver<double>> solver_;
};

__attribute__((init_priority(101))) Early early;

frond_solver* solver_in_c = nullptr;
frond_session* session_in_c = nullptr;

void destroy_in_c() {
    frond_solver_destroy(solver_in_c);
    frond_session_destroy(session_in_c);
}

/// 4 on the diagonal; large enough for memory of the heap.
void factor_in_c() {
    constexpr std::int32_t n = 60000;
    std::vector<std::int32_t> begin(n + 1), index(n);
    std::iota(begin.begin(), begin.end(), 0);
    std::iota(index.begin(), index.end(), 0);
    const std::vector<double> value(n, 4.0);
    frond_matrix a;
    FROND_STRUCT(a);
    a.rows = a.cols = n;
    a.begin = begin.data();
    a.index = index.data();
    a.value = value.data();
    REQUIRE(frond_session_create("", &session_in_c) == FROND_OK);
    REQUIRE(frond_solver_create(session_in_c, FROND_DOUBLE, "", &solver_in_c) == FROND_OK);
    REQUIRE(frond_factor(solver_in_c, &a) == FROND_OK);
}

}  // namespace

TEST_CASE("in a child: static storage" * doctest::skip()) {
    CHECK(early.is_right());
    REQUIRE(std::atexit(destroy_in_c) == 0);
    factor_in_c();
}

TEST_CASE("sessions, solvers and handles may be in static storage") {
    CHECK(run_case_in_child("in a child: static storage", {{"FROND_TEST_STATIC_STORAGE", "1"}}, 120) == 0);
}
