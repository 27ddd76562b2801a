// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices at the edge of what is one, wrong input, memory.
#include "dense_systems.hpp"
#include "frond/frond.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
std::string refusal(const std::function<void(DenseMatrixView<T>&, AnalysisOptions&)>& spoil) {
    const std::vector<T> a(9, T(1));
    DenseMatrixView<T> view{3, a.data()};
    AnalysisOptions options;
    spoil(view, options);
    Solver<T> solver(shared_session(), options);
    try {
        solver.factor(view);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("dense matrices of order 0 and 1", T, dense_small) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
        DenseMatrixView<T> empty;
        empty.symmetry = symmetry;
        Solver<T> solver(shared_session());
        CHECK(solver.factor(empty).status == FactorStatus::success);
        const SolveReport none = solver.solve({nullptr, 0, 2}, {nullptr, 0, 2});
        CHECK(none.status == SolveStatus::converged);
        CHECK(none.rhs == 2);

        const T a(4), b(2);
        DenseMatrixView<T> one{1, &a};
        one.symmetry = symmetry;
        CHECK(solver.factor(one).status == FactorStatus::success);
        T x(0);
        CHECK(solver.solve({&b, 1}, {&x, 1}).backward_error == 0);
        CHECK(x == T(0.5));
        const T zero(0);
        one.data = &zero;
        CHECK(solver.factor(one).status == FactorStatus::singular);
        CHECK(solver.factor_report().pivots.small_columns == std::vector<index_t>{0});
    }
}
TEST_CASE_TEMPLATE_APPLY(dense_small, Scalars);

TEST_CASE_TEMPLATE_DEFINE("wrong dense input is refused with what is wrong", T, dense_refused) {
    using View = DenseMatrixView<T>;
    CHECK(contains(refusal<T>([](View& a, AnalysisOptions&) { a.ld = 2; }),
                   "leading dimension of the dense matrix is 2"));
    CHECK(contains(refusal<T>([](View& a, AnalysisOptions&) { a.data = nullptr; }), "null pointer"));
    CHECK(contains(refusal<T>([](View& a, AnalysisOptions&) { a.order = -1; }), "order of the dense matrix is -1"));
    CHECK(contains(refusal<T>([](View& a, AnalysisOptions&) { a.order = count_t{1} << 40; }), "1099511627776"));
    CHECK(contains(refusal<T>([](View& a, AnalysisOptions&) { a.ld = count_t{1} << 61; }), "64 bits"));
    CHECK(contains(refusal<T>([](View& a, AnalysisOptions&) { a.symmetry = Symmetry::skew_symmetric; }), "skew"));
    CHECK(contains(refusal<T>([](View& a, AnalysisOptions&) { a.stored = Triangle::lower; }), "triangle"));
    CHECK(contains(refusal<T>([](View& a, AnalysisOptions&) { a.layout.process_rows = 2; }), "2 ranks"));
    CHECK(contains(refusal<T>([](View& a, AnalysisOptions&) { a.layout.row_block = -3; }), "-3"));
    CHECK(contains(refusal<T>([](View&, AnalysisOptions& o) { o.matching = MatchingMode::on; }), "not matched"));
    CHECK(contains(refusal<T>([](View&, AnalysisOptions& o) { o.ordering = OrderingMethod::amd; }), "not ordered"));
    CHECK(refusal<T>([](View&, AnalysisOptions&) {}).empty());
}
TEST_CASE_TEMPLATE_APPLY(dense_refused, Scalars);

TEST_CASE_TEMPLATE_DEFINE("dense entries that are not finite are named", T, dense_not_finite) {
    for (const real_t<T> bad :
         {std::numeric_limits<real_t<T>>::quiet_NaN(), std::numeric_limits<real_t<T>>::infinity()})
        for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
            DenseSystem<T> system = DenseSystem<T>::random(70, symmetry, 1);
            system(65, 41) = T(bad);
            DenseMatrixView<T> view{70, system.a.data()};
            view.symmetry = symmetry;
            Solver<T> solver(shared_session());
            std::string message;
            try {
                solver.factor(view);
            } catch (const InvalidMatrix& error) {
                message = error.what();
            }
            CHECK(contains(message, "(65, 41)"));
        }
}
TEST_CASE_TEMPLATE_APPLY(dense_not_finite, Scalars);

TEST_CASE_TEMPLATE_DEFINE("memory of dense factors is one copy, within what was predicted", T, dense_memory) {
    constexpr index_t n = 1000;
    constexpr count_t session_bytes = count_t{32} << 20;  // StarPU and its handles: by trial
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
        DenseSystem<T> system = DenseSystem<T>::random(n, symmetry, 1, symmetry == Symmetry::general ? 0 : n);
        DenseMatrixView<T> view{n, system.a.data()};
        view.symmetry = symmetry;
        AnalysisOptions options;
        if (symmetry != Symmetry::general && is_complex<T>) options.factorization = Factorization::ldlt;
        Solver<T> solver(shared_session(), options);
        const FactorReport& report = solver.factor(view);
        const count_t copy = count_t{n} * n * static_cast<count_t>(sizeof(T));
        const bool half = symmetry != Symmetry::general;
        CHECK(report.memory.factor_bytes >= (half ? copy / 2 : copy));
        CHECK(report.memory.factor_bytes <= (half ? copy / 8 * 5 : copy / 16 * 17));
        CHECK(report.memory.peak_bytes <= report.memory.peak_bytes_predicted);
        CHECK(report.memory.peak_bytes <= (half ? copy : copy / 2 * 3) + session_bytes);
        FactorOptions tight;
        tight.memory_budget_bytes = copy / 4;
        CHECK_THROWS_AS(solver.factor(view, tight), MemoryBudgetExceeded);
    }
}
TEST_CASE_TEMPLATE_APPLY(dense_memory, DoubleScalars);

TEST_CASE("a dense factorization that is cancelled leaves no factors, and the next one is right") {
    using T = std::tuple_element_t<0, Scalars>;
    DenseSystem<T> system = DenseSystem<T>::random(200, Symmetry::general, 1);
    const DenseMatrixView<T> view{200, system.a.data()};
    Solver<T> solver(shared_session());
    solver.factor(view);
    const std::atomic<bool> cancel{true};
    FactorOptions options;
    options.cancel = &cancel;
    CHECK_THROWS_AS(solver.factor(view, options), Cancelled);
    CHECK(!solver.factors());
    CHECK(solver.factor(view).status == FactorStatus::success);
    FactorOptions impossible;
    impossible.pivot_threshold = 2;
    CHECK_THROWS_AS(solver.factor(view, impossible), InvalidArgument);
    CHECK(!solver.factors());
    CHECK_THROWS_AS(solver.factor_values(std::span<const T>()), InvalidArgument);
}
