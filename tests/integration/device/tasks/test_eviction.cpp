// SPDX-License-Identifier: BSD-3-Clause
// Factors several times as large as the memory that may be used of the device: tasks make them, and StarPU evicts; or
// the device makes them part by part of the tree, and brings them to the host.
// The limit counts while StarPU starts, hence processes of their own.
#include "child_process.hpp"
#include "frond/enum_text.hpp"
#include "frond/gpu/devices.hpp"
#include "grid_systems.hpp"
#include "kept_tree.hpp"
#include "needs_device.hpp"
#include "rhs_block.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <memory>
#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

constexpr count_t mebibyte = count_t{1} << 20;

/// Two runs, one after the other.
template <class T>
struct Runs {
    FactorReport report;
    std::optional<RhsBlock<T>> x;
    double error = 0;
    bool same_bits = true;
    // While the factors of the last run were there, before a solve:
    count_t on_device = 0, pinned = 0;  // bytes of the device, as StarPU counts them, and of the host
    index_t pieces = 0;  // of a whole tree
};

template <class T>
void measure_memory(const Session& session, Runs<T>& runs) {
    const std::optional<KeptTree> tree = kept_tree<T>(session);
    runs.pieces = tree ? tree->pieces : 0;
    runs.pinned = detail::state_of(session)->pinned_heap().used_bytes();
    runs.on_device = static_cast<count_t>(starpu_memory_get_used(gpu::first_device().value().memory_node));
}

/// Deterministic: the second run has the bits of the first, wherever StarPU put what between them.
template <class T>
Runs<T> run_twice(const Session& session, const SparseMatrix<T>& a, const AnalysisResult& analysed,
                  const std::shared_ptr<const Analysis>& analysis, FactorPlace place) {
    Runs<T> runs;
    const auto b = RhsBlock<T>::random(a.rows(), 1, 17);
    FactorOptions options;
    options.place = place;
    for (int run = 0; run < 2; ++run) {
        const Factors<T> factors = factorize(session, analysis, a, options, &analysed.scaling);
        measure_memory(session, runs);
        RhsBlock<T> x(a.rows(), 1);
        SolveOptions once;
        once.place = SolvePlace::host;
        once.max_refinement_steps = 0;
        once.krylov = Krylov::off;
        runs.error = std::max(runs.error, solve(factors, b.view(), x.view(), once).componentwise_backward_error);
        runs.report = factors.report();
        runs.same_bits = runs.same_bits && (!runs.x || x == *runs.x);
        runs.x = x;
    }
    return runs;
}

/// What was made there and is larger than the memory has left it, whoever moved it: all but the limit.
void check_that_factors_left(const FactorReport& report, count_t limit_bytes, int devices) {
    const bool whole = report.place.on_device;
    REQUIRE(report.memory.factor_bytes > (whole ? limit_bytes / devices : 3 * limit_bytes));
    CHECK(report.place.bytes_from_devices >= report.memory.factor_bytes - limit_bytes);
}

/// Checks the memory of a tree in pieces: what its report says of factors is planned, this is counted.
template <class T>
void check_memory_of_pieces(const Runs<T>& runs, count_t limit_bytes, int devices) {
    CHECK(runs.pieces > devices);
    CHECK(runs.on_device > 0);
    CHECK(runs.on_device <= limit_bytes);
    CHECK(runs.pinned >= runs.report.memory.factor_bytes - limit_bytes);
}

template <class T>
void check_with_limit(const Kind& kind, index_t points, count_t limit_bytes, FactorPlace place, int devices) {
    CAPTURE(static_cast<int>(kind.factorization));
    CAPTURE(to_string(place));
    SessionOptions limited;
    limited.gpu_memory_bytes = limit_bytes;
    auto session = std::make_unique<Session>(limited);
    REQUIRE(session->info().gpus > 0);
    const SparseMatrix<T> a = grid<T>(points, kind);
    AnalysisOptions options;
    options.factorization = kind.factorization;
    options.deterministic = true;  // each task on the device, where it can be
    const AnalysisResult analysed = analyze(a, options);
    const auto analysis = remapped(*analysed.analysis, {"", 128, 1000});
    gpu::force_sharing(devices);
    const Runs<T> tight = run_twice(*session, a, analysed, analysis, place);
    gpu::force_sharing(1);
    session.reset();  // StarPU ends, and the next session starts it without a limit
    session = std::make_unique<Session>();
    const Runs<T> free = run_twice(*session, a, analysed, analysis, FactorPlace::automatic);
    CHECK(free.report.place.on_device);
    const bool whole = place == FactorPlace::device;
    CHECK(tight.report.place.on_device == whole);
    CHECK(tight.report.work.tasks > 0);
    check_that_factors_left(tight.report, limit_bytes, devices);
    if (whole && devices > 1) CHECK(tight.report.place.devices_used > 1);
    if (whole) CHECK(*tight.x == *free.x);
    if (whole) check_memory_of_pieces(tight, limit_bytes, devices);
    CHECK(tight.report.status == FactorStatus::success);
    CHECK(tight.same_bits);
    CHECK(free.same_bits);
    CHECK(tight.error <= 450 * epsilon<T>());
    CHECK(tight.error <= 4 * (free.error + epsilon<T>()));
}

/// L U of a grid of 32^3 points and L D L^T, L L^T of one of 38^3 have factors of the same size.
template <class T>
void check_all_kinds(count_t limit_bytes, FactorPlace place, int devices = 1) {
    const Symmetry definite = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
    check_with_limit<T>({Factorization::lu, Symmetry::general, 6.5}, 32, limit_bytes, place, devices);
    check_with_limit<T>({Factorization::ldlt, Symmetry::symmetric, 6.5}, 38, limit_bytes, place, devices);
    check_with_limit<T>({Factorization::llt, definite, 6.5}, 38, limit_bytes, place, devices);
}

}  // namespace

#if FROND_SCALAR_D
TEST_CASE("child: double precision in 24 MiB" * doctest::skip()) {
    check_all_kinds<double>(24 * mebibyte, FactorPlace::tasks);
}

TEST_CASE("child: double precision part by part" * doctest::skip()) {
    check_all_kinds<double>(72 * mebibyte, FactorPlace::device);
}

TEST_CASE("child: shared and part by part" * doctest::skip()) {
    check_all_kinds<double>(144 * mebibyte, FactorPlace::device, 2);
}

TEST_CASE("child: a tile has no room in 30 MiB" * doctest::skip()) {
    SessionOptions limited;
    limited.gpu_memory_bytes = 30 * mebibyte;
    const Session session(limited);
    REQUIRE(session.info().gpus > 0);
    const auto a = grid<double>(24, {Factorization::ldlt, Symmetry::symmetric, 6.5});
    AnalysisOptions options;
    options.factorization = Factorization::ldlt;
    options.cut_for_gpus = 1;
    const AnalysisResult analysed = analyze(a, options);
    REQUIRE_FALSE(analysed.analysis->mapping.grids.empty());
    FactorOptions by_tasks;
    by_tasks.place = FactorPlace::tasks;
    const Factors<double> factors = factorize(session, analysed.analysis, a, by_tasks, &analysed.scaling);
    CHECK(factors.report().status == FactorStatus::success);
    CHECK(factors.report().place.bytes_to_devices == 0);
    CHECK(factors.report().place.reason.find("tasks on tiles need") != std::string::npos);
}

TEST_CASE("cores do all tasks where a device has too little memory for tiles" * doctest::test_suite(needs_card)) {
    CHECK(run_case_in_child("child: a tile has no room in 30 MiB", {}, 100) == 0);
}

TEST_CASE("shared trees part by part in double precision" * doctest::test_suite(needs_card)) {
    CHECK(run_case_in_child("child: shared and part by part", {{"STARPU_SUBALLOCATOR", "0"}}, 300) == 0);
}

TEST_CASE("whole trees part by part in double precision" * doctest::test_suite(needs_card)) {
    CHECK(run_case_in_child("child: double precision part by part", {{"STARPU_SUBALLOCATOR", "0"}}, 300) == 0);
}

TEST_CASE("eviction in double precision" * doctest::test_suite(needs_card)) {
    // Blocks of StarPU's own allocator, of 32 MiB each, would not fit at all.
    CHECK(run_case_in_child("child: double precision in 24 MiB", {{"STARPU_SUBALLOCATOR", "0"}}, 300) == 0);
}
#endif

#if FROND_SCALAR_Z
TEST_CASE("child: complex numbers in 48 MiB" * doctest::skip()) {
    check_all_kinds<std::complex<double>>(48 * mebibyte, FactorPlace::tasks);
}

TEST_CASE("child: complex numbers part by part" * doctest::skip()) {
    check_all_kinds<std::complex<double>>(144 * mebibyte, FactorPlace::device);
}

TEST_CASE("whole trees part by part with complex numbers" * doctest::test_suite(needs_card)) {
    CHECK(run_case_in_child("child: complex numbers part by part", {{"STARPU_SUBALLOCATOR", "0"}}, 300) == 0);
}

TEST_CASE("eviction with complex numbers" * doctest::test_suite(needs_card)) {
    CHECK(run_case_in_child("child: complex numbers in 48 MiB", {{"STARPU_SUBALLOCATOR", "0"}}, 300) == 0);
}
#endif
