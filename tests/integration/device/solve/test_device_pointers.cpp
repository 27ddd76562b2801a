// SPDX-License-Identifier: BSD-3-Clause
// B and X where the application has them. Without a device all of them are in host memory, and what only a device
// can do is refused.
#include "device_vectors.hpp"
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <string>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t k = 6, n = k * k * k;

template <class T>
struct System {
    SparseMatrix<T> a;
    Factors<T> factors;
    test::DenseMatrix d;

    explicit System(const Kind& kind, const ForcedMapping& mapping = {"", 40, 60})
        : a(grid<T>(k, kind)), factors(factored(a, kind.factorization, mapping)), d(dense(a)) {}

    double error(const RhsBlock<T>& x, const RhsBlock<T>& b, Operation op = Operation::none) const {
        return componentwise_error(apply_operation(d, op), widened(x), widened(b));
    }
};

/// What the solve of these factors gives from device memory, from host memory, and from one to the other.
template <class T>
void check_places(const System<T>& system, const SolveOptions& options, index_t rhs) {
    CAPTURE(rhs);
    const auto b = RhsBlock<T>::random(n, rhs, 31, 3);
    RhsBlock<T> x(n, rhs, 2);
    const SolveReport on_host = solve(system.factors, b.view(), x.view(), options);
    DeviceVectors<T> there(b), solution(RhsBlock<T>(n, rhs, 5)), in_place(b), from_host(RhsBlock<T>(n, rhs, 1));
    RhsBlock<T> back(n, rhs, 4);
    const SolveReport report = solve(system.factors, there.const_view(), solution.view(), options);
    CHECK(report.on_device == on_host.on_device);
    CHECK(report.componentwise_backward_errors == on_host.componentwise_backward_errors);
    static_cast<void>(solve(system.factors, in_place.const_view(), in_place.view(), options));
    static_cast<void>(solve(system.factors, b.view(), from_host.view(), options));
    static_cast<void>(solve(system.factors, there.const_view(), back.view(), options));
    CHECK(there.fetched() == b);
    CHECK(solution.fetched().guards_intact());
    CHECK(in_place.fetched().guards_intact());
    CHECK(back.guards_intact());
    const RhsBlock<T> of_device = solution.fetched(), of_place = in_place.fetched(), of_host = from_host.fetched();
    for (index_t j = 0; j < rhs; ++j)
        for (index_t i = 0; i < n; ++i) {
            REQUIRE(of_device(i, j) == x(i, j));
            REQUIRE(of_place(i, j) == x(i, j));
            REQUIRE(of_host(i, j) == x(i, j));
            REQUIRE(back(i, j) == x(i, j));
        }
    if (options.part == SolvePart::all) CHECK(system.error(x, b, options.operation) <= 450 * epsilon<T>());
}

template <class T>
std::string refusal(const Factors<T>& factors, BlockView<const T> b, BlockView<T> x, const SolveOptions& options) {
    try {
        static_cast<void>(solve(factors, b, x, options));
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_SUITE_BEGIN(needs_device);

template <class T>
static void check_vectors_on_device() {
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        CAPTURE(kind.diagonal);
        const System<T> system(kind);
        for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint})
            for (const SolvePlace place : {SolvePlace::automatic, SolvePlace::host}) {
                CAPTURE(static_cast<int>(op));
                CAPTURE(static_cast<int>(place));
                SolveOptions options;
                options.operation = op;
                options.place = place;
                check_places(system, options, 1);
                // 70: more than go over at once. Once is enough.
                if (op == Operation::none) check_places(system, options, kind.diagonal > 6 ? 70 : 3);
            }
    }
}
FROND_LONG_DEVICE_CASES("B and X on the device", check_vectors_on_device, Scalars);

TEST_CASE("parts, bounds of errors, and solves that the device leaves to the cores") {
    const System<double> system({Factorization::lu, Symmetry::general, 6.5});
    SolveOptions options;
    for (const SolvePart part : {SolvePart::forward, SolvePart::diagonal, SolvePart::backward}) {
        options.part = part;
        check_places(system, options, 2);
    }
    options.part = SolvePart::all;
    options.forward_error = true;
    check_places(system, options, 2);
    options.forward_error = false;
    // No solve reaches this: the device's result is left, and B must still be there when X is the same memory.
    options.target_backward_error = 1e-30;
    check_places(system, options, 2);
    check_places(system, options, 70);
}

TEST_CASE("forward errors of a solution on the device") {
    const System<double> system({Factorization::llt, Symmetry::symmetric, 6.5});
    SolveOptions options;
    options.forward_error = true;
    const auto b = RhsBlock<double>::random(n, 2, 5);
    RhsBlock<double> x(n, 2);
    const SolveReport on_host = solve(system.factors, b.view(), x.view(), options);
    DeviceVectors<double> there(b);
    const SolveReport report = solve(system.factors, there.const_view(), there.view(), options);
    REQUIRE(report.forward_error.has_value());
    CHECK(*report.forward_error > 0);
    CHECK(report.forward_errors == on_host.forward_errors);
}

TEST_CASE("escalation from device memory, in place") {
    const Kind kind{Factorization::lu, Symmetry::general, 0.25};
    const SparseMatrix<double> a = grid<double>(k, kind);
    AnalysisOptions analysis;
    analysis.deterministic = true;
    Solver<double> solver(device_session(), analysis);
    FactorOptions hopeless;
    hopeless.pivoting = Pivoting::static_pivots;
    hopeless.static_pivot_tolerance = 0.9;
    solver.factor(a, hopeless);
    SolveOptions few_steps;
    few_steps.max_refinement_steps = 1;
    few_steps.krylov = Krylov::off;
    const auto b = RhsBlock<double>::random(n, 2, 5);
    DeviceVectors<double> there(b);
    const SolveReport report = solver.solve(there.const_view(), there.view(), few_steps);
    CHECK(report.escalated);
    CHECK(report.status == SolveStatus::converged);
    CHECK(componentwise_error(dense(a), widened(there.fetched()), widened(b)) <= 450 * epsilon<double>());
}

TEST_CASE("what was queued in the application's stream comes first" * doctest::test_suite(needs_card)) {
    const System<double> system({Factorization::llt, Symmetry::symmetric, 6.5});
    const auto b = RhsBlock<double>::random(n, 2, 5);
    RhsBlock<double> x(n, 2);
    SolveOptions options;
    for (const SolvePlace place : {SolvePlace::device, SolvePlace::host}) {
        CAPTURE(static_cast<int>(place));
        options.place = place;
        DeviceVectors<double> kept(b), there(RhsBlock<double>(n, 2)), solution(b);
        const ApplicationStream stream;
        options.stream = stream.get();
        stream.delay();
        stream.copy_on_device(there.data(), kept.data(), kept.bytes());
        stream.copy_on_device(solution.data(), kept.data(), kept.bytes());  // what X has is in use until then
        int before = -1, after = -2;
        vendor_call<int*>("GetDevice", &before);
        static_cast<void>(solve(system.factors, there.const_view(), solution.view(), options));
        vendor_call<int*>("GetDevice", &after);
        CHECK(before == after);
        CHECK(system.error(solution.fetched(), b) <= 450 * epsilon<double>());
        // The host waits as well: B is from the stream, X goes to host memory.
        DeviceVectors<double> late(RhsBlock<double>(n, 2));
        stream.delay();
        stream.copy_on_device(late.data(), kept.data(), kept.bytes());
        static_cast<void>(solve(system.factors, late.const_view(), x.view(), options));
        CHECK(system.error(x, b) <= 450 * epsilon<double>());
        stream.wait();
    }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN(needs_no_device);

TEST_CASE("a stream is refused") {
    const System<double> system({Factorization::llt, Symmetry::symmetric, 6.5});
    const auto b = RhsBlock<double>::random(n, 2, 5);
    RhsBlock<double> x(n, 2);
    int no_stream = 0;
    SolveOptions options;
    options.stream = &no_stream;
    const std::string message = refusal(system.factors, b.view(), x.view(), options);
    CHECK(contains(message, "stream"));
    CHECK(contains(message, "leave it null"));
}

TEST_CASE("memory that the host cannot read") {
    const System<double> system({Factorization::llt, Symmetry::symmetric, 6.5});
    const auto b = RhsBlock<double>::random(n, 1, 5);
    RhsBlock<double> x(n, 1);
    CHECK(solve(system.factors, b.view(), x.view()).status == SolveStatus::converged);
    char probe = 1, copy = 0;
    iovec to{&copy, 1}, from{&probe, 1};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1) {
        MESSAGE("the system does not let a process ask for its memory: nothing is refused");
        return;
    }
    const std::size_t bytes = sizeof(double) * n;
    void* const closed = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(closed != MAP_FAILED);
    const BlockView<double> view{static_cast<double*>(closed), n, 1, n};
    const std::string of_b = refusal(system.factors, BlockView<const double>{view.data, n, 1, n}, x.view(), {});
    CHECK(contains(of_b, "B is not in memory"));
    CHECK(contains(of_b, "copy B to the host"));
    CHECK(contains(refusal(system.factors, b.view(), view, {}), "X is not in memory"));
    munmap(closed, bytes);
}

TEST_SUITE_END();
