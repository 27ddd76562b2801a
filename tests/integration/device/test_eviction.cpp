// SPDX-License-Identifier: BSD-3-Clause
// Factors several times as large as the memory that may be used of the device: tasks make them, and StarPU evicts; or
// the device makes them part by part of the tree, and brings them to the host.
// The limit counts while StarPU starts, hence processes of their own. Without a device the same runs on cores.
#include "child_process.hpp"
#include "forced_sharing.hpp"
#include "frond/enum_text.hpp"
#include "grid_systems.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr count_t mebibyte = count_t{1} << 20;

/// Two runs, one after the other.
template<class T>
struct Runs {
    FactorReport report;
    std::optional<RhsBlock<T>> x;
    double error = 0;
    bool same_bits = true;
};

/// Deterministic: the second run has the bits of the first, wherever StarPU put what between them.
template<class T>
Runs<T> run_twice(const Session& session, const SparseMatrix<T>& a, const AnalysisResult& analysed,
                  const std::shared_ptr<const Analysis>& analysis, FactorPlace place) {
    Runs<T> runs;
    const auto b = RhsBlock<T>::random(a.rows(), 1, 17);
    FactorOptions options;
    options.place = session.info().gpus > 0 ? place : FactorPlace::automatic;
    for (int run = 0; run < 2; ++run) {
        const Factors<T> factors = factorize(session, analysis, a, options, &analysed.scaling);
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

/// How much memory there may be, and what is to be done with it.
struct Limit {
    count_t bytes = 0;
    FactorPlace place = FactorPlace::tasks;
    int devices = 1;
    index_t subtree_columns = 1000; // of the largest task that does a whole subtree
};

/// The same bits with a limit as without. Larger subtrees may not fit the scratch memory that goes with a limit; then a
/// core does them.
constexpr index_t most_columns_of_same_bits = 60;

/// One matrix, and what came of it under the limit.
template<class T>
struct Limited {
    Kind kind;
    SparseMatrix<T> a;
    AnalysisResult analysed;
    std::shared_ptr<const Analysis> analysis;
    Runs<T> tight;
};

template<class T>
Limited<T> run_with_limit(const Session& session, const Kind& kind, index_t points, const Limit& limit) {
    Limited<T> limited{kind, grid<T>(session.info().gpus > 0 ? points : 10, kind), {}, {}, {}};
    AnalysisOptions options;
    options.factorization = kind.factorization;
    options.deterministic = true;
    limited.analysed = analyze(limited.a, options);
    limited.analysis = remapped(*limited.analysed.analysis, {"", 128, limit.subtree_columns});
    const ForcedSharing sharing(limit.devices);
    limited.tight = run_twice(session, limited.a, limited.analysed, limited.analysis, limit.place);
    return limited;
}

template<class T>
void check_against_free(const Session& session, const Limited<T>& limited, const Limit& limit) {
    CAPTURE(limit.subtree_columns);
    CAPTURE(static_cast<int>(limited.kind.factorization));
    CAPTURE(is_complex<T>);
    CAPTURE(sizeof(T));
    CAPTURE(to_string(limit.place));
    const Runs<T>& tight = limited.tight;
    const Runs<T> free = run_twice(session, limited.a, limited.analysed, limited.analysis, limit.place);
    const bool device = session.info().gpus > 0, whole = device && limit.place == FactorPlace::device;
    CHECK(free.report.on_device == whole);
    CHECK(tight.report.on_device == whole);
    CHECK((tight.report.tasks > 0) == !whole);
    if (device) CHECK(tight.report.factor_bytes > (whole ? limit.bytes / limit.devices : 3 * limit.bytes));
    if (whole && limit.devices > 1) CHECK(tight.report.devices_used > 1);
    if (whole || !device || limit.subtree_columns <= most_columns_of_same_bits) CHECK(*tight.x == *free.x);
    CHECK(tight.report.status == FactorStatus::success);
    CHECK(tight.same_bits);
    CHECK(free.same_bits);
    CHECK(tight.error <= 450 * epsilon<T>());
    CHECK(tight.error <= 4 * (free.error + epsilon<T>()));
}

/// L U of a grid of 32^3 points and L D L^T, L L^T of one of 38^3 have factors of the same size.
template<class T>
void check_all_kinds(const Limit& limit) {
    const Symmetry definite = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
    SessionOptions options;
    options.gpu_memory_bytes = limit.bytes;
    std::vector<Limited<T>> all;
    {
        const Session session(options);
        all.push_back(run_with_limit<T>(session, {Factorization::lu, Symmetry::general, 6.5}, 32, limit));
        all.push_back(run_with_limit<T>(session, {Factorization::ldlt, Symmetry::symmetric, 6.5}, 38, limit));
        all.push_back(run_with_limit<T>(session, {Factorization::llt, definite, 6.5}, 38, limit));
    } // StarPU ends, and the next session starts it without a limit
    const Session session;
    for (const Limited<T>& limited : all) check_against_free(session, limited, limit);
}

/// For each scalar of this build, with a limit of so many bytes for a byte of it.
template<class... T>
void check_all_scalars(std::tuple<T...>, const Limit& limit) {
    (check_all_kinds<T>({limit.bytes * static_cast<count_t>(sizeof(T)), limit.place, limit.devices,
                         limit.subtree_columns}),
     ...);
}

/// Blocks of StarPU's own allocator, of 32 MiB each, would not fit at all.
int run_child(const std::string& name) {
    return run_case_in_child(name, {{"STARPU_SUBALLOCATOR", "0"}}, 600);
}

} // namespace

TEST_CASE("child: by tasks in 3 MiB a byte" * doctest::skip()) {
    check_all_scalars(Scalars(), {3 * mebibyte, FactorPlace::tasks});
}

TEST_CASE("child: by tasks of small subtrees in 3 MiB a byte" * doctest::skip()) {
    check_all_scalars(Scalars(), {3 * mebibyte, FactorPlace::tasks, 1, most_columns_of_same_bits});
}

TEST_CASE("child: part by part in 9 MiB a byte" * doctest::skip()) {
    check_all_scalars(Scalars(), {9 * mebibyte, FactorPlace::device});
}

TEST_CASE("child: shared and part by part in 18 MiB a byte" * doctest::skip()) {
    check_all_scalars(Scalars(), {18 * mebibyte, FactorPlace::device, 2});
}

TEST_CASE("eviction") {
    CHECK(run_child("child: by tasks in 3 MiB a byte") == 0);
}

TEST_CASE("eviction with small subtrees") {
    CHECK(run_child("child: by tasks of small subtrees in 3 MiB a byte") == 0);
}

TEST_CASE("whole trees part by part") {
    CHECK(run_child("child: part by part in 9 MiB a byte") == 0);
}

TEST_CASE("shared trees part by part") {
    CHECK(run_child("child: shared and part by part in 18 MiB a byte") == 0);
}
