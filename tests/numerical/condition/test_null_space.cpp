// SPDX-License-Identifier: BSD-3-Clause
#include "dense_oracle.hpp"
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "sample_systems.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

const ForcedMapping mappings[] = {{"one subtree", 16, 1 << 20},
                                  {"tiles of 16", 16, 0},
                                  {"tiles of 6 above subtrees", 6, 20}};

constexpr Operation operations[] = {Operation::none, Operation::transpose, Operation::adjoint};

template <class T>
Factors<T> factored(const SparseMatrix<T>& a, Factorization kind, const ForcedMapping& mapping,
                    const FactorOptions& factor_options = {}) {
    AnalysisOptions options;
    options.factorization = kind;
    options.amalgamation_zeros = 1e-9;
    const AnalysisResult result = analyze(a, options);
    return factorize(shared_session(), remapped(*result.analysis, mapping), a, factor_options, &result.scaling);
}

template <class T>
std::vector<Symmetry> symmetries() {
    if (is_complex<T>) return {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian};
    return {Symmetry::general, Symmetry::symmetric};
}

template <class T>
DenseMatrix basis_of(const NullSpace<T>& space) {
    DenseMatrix z(space.rows, space.dimension);
    for (std::size_t i = 0; i < z.data.size(); ++i) z.data[i] = widen(space.basis[i]);
    return z;
}

DenseMatrix times(const DenseMatrix& a, const DenseMatrix& b) {
    return multiply_add(1, a, b, DenseMatrix(a.rows, b.cols));
}

double distance_to_orthonormal(const DenseMatrix& z) {
    DenseMatrix gram = times(apply_operation(z, Operation::adjoint), z);
    for (index_t j = 0; j < z.cols; ++j) gram(j, j) -= 1;
    return static_cast<double>(largest(gram));
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("dimension, residual and orthogonality of null spaces", T, bases) {
    const index_t n = 90;
    for (const Symmetry symmetry : symmetries<T>())
        for (const index_t components : {1, 3, 7})
            for (const ForcedMapping& mapping : mappings) {
                CAPTURE(static_cast<int>(symmetry));
                CAPTURE(components);
                CAPTURE(mapping.name);
                const SparseMatrix<T> a = scaled_laplacian<T>(n, components, symmetry, 5);
                const Factors<T> factors = factored(a, kind_of<T>(symmetry), mapping);
                REQUIRE(factors.report().status == FactorStatus::singular);
                for (const Operation op : operations) {
                    const NullSpace<T> space = null_space(factors, op);
                    REQUIRE(space.rows == n);
                    REQUIRE(space.dimension == components);
                    const DenseMatrix z = basis_of(space);
                    CHECK(distance_to_orthonormal(z) <= rounding_bound<T>(4 * n));
                    const DenseMatrix oa = apply_operation(dense(a), op);
                    CHECK(largest(times(oa, z)) <= rounding_bound<T>(8 * n) * largest(oa));
                    CHECK(space.residual <= rounding_bound<T>(8 * n));
                }
            }
}
TEST_CASE_TEMPLATE_APPLY(bases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("an empty column and an empty row", T, empty) {
    SparseMatrix<T> a = random_sparse<T>(60, 3, Symmetry::general, true, 17);
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            if (j == 11 || a.pattern.row[static_cast<std::size_t>(e)] == 42) a.value[static_cast<std::size_t>(e)] = 0;
    const Factors<T> factors = factored(a, Factorization::lu, mappings[2]);
    const NullSpace<T> right = null_space(factors), left = null_space(factors, Operation::adjoint);
    REQUIRE(right.dimension == 1);
    REQUIRE(left.dimension == 1);
    // Column 11 is empty, row 42 is: e_11 and e_42 span the two null spaces.
    CHECK(std::abs(std::abs(right.basis[11]) - 1) <= rounding_bound<T>(60));
    CHECK(std::abs(std::abs(left.basis[42]) - 1) <= rounding_bound<T>(60));
}
TEST_CASE_TEMPLATE_APPLY(empty, Scalars);

TEST_CASE_TEMPLATE_DEFINE("the zero matrix: every vector", T, zero_matrix) {
    SparseMatrix<T> a = random_sparse<T>(20, 2, Symmetry::general, true, 3);
    std::fill(a.value.begin(), a.value.end(), T(0));
    const NullSpace<T> space = null_space(factored(a, Factorization::lu, mappings[0]));
    REQUIRE(space.dimension == 20);
    CHECK(distance_to_orthonormal(basis_of(space)) == 0);
    CHECK(space.residual == 0);
}
TEST_CASE_TEMPLATE_APPLY(zero_matrix, Scalars);

TEST_CASE_TEMPLATE_DEFINE("no dimension without null pivots", T, regular) {
    for (const SampleSystem<T>& system : sample_systems<T>()) {
        CAPTURE(system.name);
        const Factors<T> factors = factored(system.matrix, system.kind, mappings[2]);
        const NullSpace<T> space = null_space(factors);
        CHECK(space.dimension == 0);
        CHECK(space.basis.empty());
        CHECK(space.rows == system.matrix.rows());
    }
}
TEST_CASE_TEMPLATE_APPLY(regular, Scalars);

TEST_CASE("factors of static pivoting, or none, are refused") {
    using T = std::tuple_element_t<0, Scalars>;
    FactorOptions fixed;
    fixed.pivoting = Pivoting::static_pivots;
    const SparseMatrix<T> a = scaled_laplacian<T>(40, 1, Symmetry::symmetric, 3);
    const Factors<T> factors = factored(a, Factorization::ldlt, mappings[0], fixed);
    CHECK(factors.report().pivoting == Pivoting::static_pivots);
    try {
        null_space(factors);
        FAIL("accepted");
    } catch (const InvalidArgument& error) {
        CHECK(std::string(error.what()).find("pivoting = static; factor with threshold") != std::string::npos);
    }
    CHECK_THROWS_AS(null_space(Factors<T>()), InvalidArgument);
}

TEST_CASE_TEMPLATE_DEFINE("null_pivots = error throws and names them", T, as_errors) {
    FactorOptions strict;
    strict.null_pivots = NullPivots::error;
    for (const Symmetry symmetry : symmetries<T>()) {
        const SparseMatrix<T> a = scaled_laplacian<T>(80, 3, symmetry, 9);
        const Factorization kind = kind_of<T>(symmetry);
        const FactorReport report = factored(a, kind, mappings[2]).report();
        try {
            factored(a, kind, mappings[2], strict);
            FAIL("accepted");
        } catch (const SingularMatrix& error) {
            CHECK(error.columns() == report.pivots.small_columns);
            CHECK(error.rows() == report.pivots.null_rows);
            CHECK(error.columns().size() == 3);
            CHECK(std::string(error.what()).starts_with("the matrix is singular: 3 null pivots"));
        }
    }
    const SparseMatrix<T> regular = random_sparse<T>(80, 3, Symmetry::general, true, 3);
    CHECK(factored(regular, Factorization::lu, mappings[2], strict).report().status == FactorStatus::success);
}
TEST_CASE_TEMPLATE_APPLY(as_errors, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a Solver that threw has no factors and can go on", T, solver_goes_on) {
    FactorOptions strict;
    strict.null_pivots = NullPivots::error;
    Solver<T> solver(shared_session());
    const SparseMatrix<T> a = scaled_laplacian<T>(50, 1, Symmetry::general, 9);
    CHECK_THROWS_AS(solver.factor(a, strict), SingularMatrix);
    CHECK_FALSE(bool(solver.factors()));
    SparseMatrix<T> regular = a;
    for (T& v : regular.value) v = T(1) / (v + T(3));
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            if (a.pattern.row[static_cast<std::size_t>(e)] == j) regular.value[static_cast<std::size_t>(e)] = T(100);
    CHECK(solver.factor(regular, strict).status == FactorStatus::success);
}
TEST_CASE_TEMPLATE_APPLY(solver_goes_on, Scalars);

TEST_CASE_TEMPLATE_DEFINE("null vectors that share one huge unknown are orthonormal", T, huge_unknown) {
    // A = D V V^H D of rank 2, D = diag(1, ..., tiny, ..., 1): null vectors are (D^-1 times those of V^H).
    const index_t n = 14, tiny = 5;
    const int least = std::numeric_limits<real_t<T>>::min_exponent / 4;
    Random random(11);
    std::vector<T> v;
    for (index_t i = 0; i < 2 * n; ++i) v.push_back(T(std::round(2 * random.value<real_t<T>>())));
    for (const int exponent : {least / 8, least / 4, least / 2, least}) {
        EntryTable<T> table;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) {
                const auto at_i = static_cast<std::size_t>(i), at_j = static_cast<std::size_t>(j),
                           half = static_cast<std::size_t>(n);
                const T sum = v[at_i] * v[at_j] + real_t<T>(2) * v[half + at_i] * v[half + at_j];
                const int power = exponent * ((i == tiny) + (j == tiny));
                if (sum != T(0)) table[{j, i}] = T(std::ldexp(real_part(sum), power));
            }
        CAPTURE(exponent);
        const Factors<T> factors = factored(from_table(n, table, Symmetry::general), Factorization::lu, mappings[0]);
        const NullSpace<T> space = null_space(factors);
        CHECK(space.dimension == n - 2);
        CHECK(distance_to_orthonormal(basis_of(space)) <= 100 * epsilon<T>());
        CHECK(space.residual <= 100 * epsilon<T>());
    }
}
TEST_CASE_TEMPLATE_APPLY(huge_unknown, Scalars);
