// SPDX-License-Identifier: BSD-3-Clause
// Whatever allocation fails, the error is std::bad_alloc and nothing stays behind.
#include "failing_allocations.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "frond/matrix/operations.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class Body>
void check_faults(long least_failures, Body&& body) {
    const FaultReport report = fail_every_allocation(body);
    CHECK(report.failures >= least_failures);
    CHECK(report.leaked == 0);
}

}  // namespace

TEST_CASE("make_sparse: unsorted, repeated, both triangles, skew-symmetric") {
    const std::vector<std::int32_t> row{2, 0, 1, 0, 1, 1}, column{0, 2, 0, 1, 1, 1};
    const std::vector<double> value{3, 3, 2, 2, 1, 1}, opposite{3, -3, 2, -2, 0, 0};
    TripletView<double, std::int32_t> view;
    view.rows = view.cols = 3;
    view.entries = 6;
    view.row = row.data();
    view.column = column.data();
    view.value = value.data();
    view.symmetry = Symmetry::symmetric;
    check_faults(10, [&] { make_sparse(view); });
    view.value = opposite.data();
    view.symmetry = Symmetry::skew_symmetric;
    check_faults(10, [&] { make_sparse(view); });
}

TEST_CASE("graphs, transposition, expansion, products") {
    const SparseMatrix<double> lower = poisson2d<double>(5).matrix;
    const SparseMatrix<double> full = expanded(lower);
    const SparseMatrix<double> unsymmetric = [&] {
        SparseMatrix<double> a = full;
        a.pattern.row[2] += 10;
        return a;
    }();
    check_faults(3, [&] { symmetrized_graph(lower.pattern); });
    check_faults(3, [&] { symmetrized_graph(full.pattern); });
    check_faults(4, [&] { symmetrized_graph(unsymmetric.pattern); });
    check_faults(3, [&] { transposed(full); });
    check_faults(4, [&] { expanded(lower); });
    std::vector<double> x(100, 1.0), y(100), w(100);
    check_faults(5, [&] {
        residual_and_weights(full, Operation::none, 4, x.data(), 25, x.data(), 25, y.data(), 25, w.data(), 25);
    });
    check_faults(1, [&] { matrix_norms(full); });
}

TEST_CASE("generators") {
    check_faults(3, [] { poisson3d<double>(3); });
    check_faults(3, [] { convdiff3d<double>(3); });
    check_faults(4, [] { elasticity3d<double>(2); });
    check_faults(3, [] { kkt<double>(2); });
    check_faults(4, [] { helmholtz3d<std::complex<double>>(3); });
}

TEST_CASE("files") {
    const std::string data = FROND_TEST_DATA "/";
    check_faults(10, [&] { read_matrix(data + "cage5.mtx.gz"); });
    check_faults(10, [&] { read_matrix(data + "rutherford_boeing/lfat5.rsa"); });
    const SparseMatrix<double> a = poisson2d<double>(3).matrix;
    const TemporaryFile file(".mtx");
    check_faults(2, [&] { write_matrix_market(file.path(), a, {"a comment"}); });
    check_faults(5, [&] { read_dense<double>(file.path()); });
}

TEST_CASE("a refusal is not turned into something else by a failing allocation") {
    const std::string path = FROND_TEST_DATA "/malformed/row_too_large.mtx";
    bool refused = false;
    check_faults(5, [&] {
        try {
            read_matrix(path);
        } catch (const InvalidMatrix&) {
            refused = true;
        }
    });
    CHECK(refused);
}
