// SPDX-License-Identifier: BSD-3-Clause
// Matrices from files end to end: those of tests/data always, a subset of a larger collection when
// the environment variable FROND_MATRICES names its folder.
#include "frond/base/instantiate.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "frond/matrix/operations.hpp"
#include "rhs_block.hpp"
#include "shared_session.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

/// max_i |b - A x|_i / (|A| |x| + |b|)_i, largest over the columns; NaN stays.
template <class T>
double measured_error(const SparseMatrix<T>& a, const RhsBlock<T>& x, const RhsBlock<T>& b) {
    const index_t n = a.rows();
    RhsBlock<T> r(n, b.cols());
    RhsBlock<real_t<T>> w(n, b.cols());
    residual_and_weights(a, Operation::none, b.cols(), x.view().data, n, b.view().data, n, r.view().data, n,
                         w.view().data, n);
    double worst = 0;
    for (index_t j = 0; j < b.cols(); ++j)
        for (index_t i = 0; i < n; ++i) {
            if (r(i, j) == T(0)) continue;
            const double error = std::abs(r(i, j)) / w(i, j);
            if (!(error <= worst)) worst = error;
        }
    return worst;
}

struct Expected {
    bool singular = false;
    /// Rows whose terms are tiny beside ||A_i|| ||x|| are measured against that: the error that is reported is smaller.
    /// Solutions of singular systems are large enough for that as well.
    bool has_tiny_rows = false;
};

/// Solved to 450 eps, or reported: never a bad solution with a good status.
template <class T>
void check_outcome(const SparseMatrix<T>& a, const Expected& expected) {
    Solver<T> solver(shared_session());
    const FactorReport facts = solver.factor(a);
    REQUIRE(facts.status != FactorStatus::not_positive_definite);
    if (facts.status != FactorStatus::success) CHECK_FALSE(facts.pivots.small_columns.empty());
    if (expected.singular) CHECK(facts.status != FactorStatus::success);
    const auto b = RhsBlock<T>::random(a.rows(), 2, 91);
    RhsBlock<T> x(a.rows(), 2);
    const SolveReport report = solver.solve(b.view(), x.view());
    const double error = measured_error(a, x, b);
    CHECK(report.componentwise_backward_error <= 1.1 * error);
    CHECK((report.status == SolveStatus::converged) ==
          (report.componentwise_backward_error <= accepted_backward_error<T>({})));
    if (expected.singular) return;
    if (!expected.has_tiny_rows) CHECK(report.componentwise_backward_error >= 0.9 * error);
    CHECK(report.status == SolveStatus::converged);
}

void check_file(const std::string& path, const Expected& expected = {}) {
    CAPTURE(path);
    std::visit(
        [&]<class T>(const SparseMatrix<T>& a) {
            if constexpr (is_built<T>()) check_outcome(a, expected);
        },
        read_matrix(path));
}

/// A subset of the collection in FROND_MATRICES.
void check_collection() {
    const char* folder = std::getenv("FROND_MATRICES");
    const std::set<std::string> singular{"ubh1_kkt", "G55"}, with_tiny_rows{"hypre_ams_A"};
    index_t found = 0, skipped = 0;
    for (const std::string name : {"bcsstk16", "aft01", "c-29", "dw8192", "ACTIVSg2000_ybus", "add32", "cont-101_kkt",
                                   "ubh1_kkt", "hypre_ams_A", "concrete_complex", "gun_shifted", "ip_powell20_it10",
                                   "fidapm08", "rail_5177", "cryg2500", "huestis_kkt", "case6515rte_ybus", "G55"}) {
        const std::string path = std::string(folder != nullptr ? folder : "") + "/" + name + ".mtx.gz";
        if (folder == nullptr || !std::filesystem::exists(path)) {
            ++skipped;
            continue;
        }
        ++found;
        check_file(path, {singular.contains(name), with_tiny_rows.contains(name)});
    }
    MESSAGE(found, " matrices of FROND_MATRICES checked, ", skipped, " not there");
    const bool folder_given = folder != nullptr && *folder != '\0';
    CHECK((found > 0) == folder_given);
}

}  // namespace

TEST_CASE("the matrices of tests/data, and a subset of the collection that FROND_MATRICES names") {
    const std::string folder = FROND_TEST_DATA "/";
    for (const char* name : {"LFAT5.mtx", "b1_ss.mtx", "494_bus.mtx.gz", "west0067.mtx.gz", "cage5.mtx.gz",
                             "young4c.mtx.gz", "c_west0067.mtx.gz", "rutherford_boeing/lfat5.rsa"})
        check_file(folder + name);
    for (const char* name : {"bcsstm01.mtx", "lap_25.mtx", "football.mtx.gz"})
        check_file(folder + name, {.singular = true});
    CHECK_THROWS_AS(std::visit(
                        []<class T>(const SparseMatrix<T>& a) {
                            if constexpr (is_built<T>()) Solver<T>(shared_session()).factor(a);
                        },
                        read_matrix(folder + "lp_afiro.mtx")),
                    InvalidMatrix);
    check_collection();
}
