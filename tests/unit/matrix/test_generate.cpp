// SPDX-License-Identifier: BSD-3-Clause
// Generated matrices: entries written out by hand on tiny grids, properties on larger ones.
#include "canonical_checks.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/operations.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

using namespace frond;
using namespace frond::test;
using Complex = std::complex<double>;

namespace {

/// The matrix as dense rows in long double complex.
using Dense = std::vector<std::vector<std::complex<long double>>>;

template <class T>
Dense dense_of(const SparseMatrix<T>& a) {
    const SparseMatrix<T> full = expanded(a);
    Dense d(static_cast<std::size_t>(a.rows()), Dense::value_type(static_cast<std::size_t>(a.cols())));
    for (index_t j = 0; j < full.cols(); ++j)
        for (count_t e = full.pattern.begin[j]; e < full.pattern.begin[j + 1]; ++e) {
            if constexpr (is_complex<T>)
                d[full.pattern.row[e]][j] = {full.value[e].real(), full.value[e].imag()};
            else
                d[full.pattern.row[e]][j] = full.value[e];
        }
    return d;
}

struct Inertia {
    int positive = 0, negative = 0;
    long double smallest = 1e300L;  // |pivot|
};

/// Signs of the pivots of LDL^T with the largest diagonal entry as the next pivot: enough for
/// matrices whose Schur complements keep a diagonal, which the smallest pivot found confirms.
Inertia inertia_of(Dense a) {
    Inertia found;
    const std::size_t n = a.size();
    std::vector<bool> done(n, false);
    const auto eliminate = [&](std::size_t p) {
        done[p] = true;
        for (std::size_t i = 0; i < n; ++i) {
            if (done[i] || a[i][p] == 0.0L) continue;
            const auto factor = a[i][p] / a[p][p];
            for (std::size_t j = 0; j < n; ++j)
                if (!done[j]) a[i][j] -= factor * a[p][j];
        }
    };
    for (std::size_t step = 0; step < n; ++step) {
        std::size_t p = n;
        for (std::size_t i = 0; i < n; ++i)
            if (!done[i] && (p == n || std::abs(a[i][i]) > std::abs(a[p][p]))) p = i;
        found.smallest = std::min(found.smallest, std::abs(a[p][p]));
        ++(a[p][p].real() > 0 ? found.positive : found.negative);
        eliminate(p);
    }
    return found;
}

template <class T>
double symmetry_defect(const SparseMatrix<T>& a) {
    const Dense d = dense_of(a);
    long double defect = 0;
    for (std::size_t i = 0; i < d.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) defect = std::max(defect, std::abs(d[i][j] - d[j][i]));
    return static_cast<double>(defect);
}

template <class T>
void check_made(const Generated<T>& made, std::array<index_t, 3> grid, index_t dofs, index_t order, Symmetry symmetry,
                count_t full) {
    check_canonical(made.matrix);
    CHECK(made.grid == grid);
    CHECK(made.dofs == dofs);
    CHECK(made.matrix.rows() == order);
    CHECK(made.matrix.cols() == order);
    CHECK(made.matrix.symmetry == symmetry);
    CHECK(entries_full(made.matrix.pattern, symmetry) == full);
}

/// Entries of an n-node stencil of 3 points along each axis.
count_t links(index_t n) { return 3 * count_t{n} - 2; }

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("sizes, symmetry and grid of every kind", T, sizes) {
    const auto s = Symmetry::symmetric;
    for (const index_t n : {1, 2, 3, 5}) {
        const count_t axis = links(n), n2 = count_t{n} * n, n3 = n2 * n;
        const count_t faces = n3 + 3 * n2 * (axis - n);
        check_made(poisson2d<T>(n), {n, n, 1}, 1, n * n, s, n2 + 2 * n * (axis - n));
        check_made(poisson3d<T>(n), {n, n, n}, 1, n * n * n, s, faces);
        check_made(grid27<T>(n), {n, n, n}, 1, n * n * n, s, axis * axis * axis);
        check_made(convdiff3d<T>(n), {n, n, n}, 1, n * n * n, Symmetry::general, faces);
        const index_t observed = std::max(1, n / 2);
        check_made(kkt<T>(n), {0, 0, 0}, 1, 3 * n * n * n, s, 2 * faces + 3 * n3 + observed * n2);
        if (n > 1) check_made(elasticity3d<T>(n), {n, n, n}, 3, 3 * n * n * n, s, 9 * axis * axis * axis);
        if constexpr (is_complex<T>) check_made(helmholtz3d<T>(n), {n, n, n}, 1, n * n * n, s, axis * axis * axis);
    }
}

TEST_CASE_TEMPLATE_APPLY(sizes, Scalars);

TEST_CASE("poisson2d 2 and grid27 2 by hand") {
    const SparseMatrix<double> a = poisson2d<double>(2).matrix;
    CHECK(a.pattern.begin == std::vector<count_t>{0, 3, 5, 7, 8});
    CHECK(a.pattern.row == std::vector<index_t>{0, 1, 2, 1, 3, 2, 3, 3});
    CHECK(a.value == std::vector<double>{4, -1, -1, 4, -1, 4, -1, 4});
    const SparseMatrix<double> b = grid27<double>(2).matrix;  // all eight nodes touch
    CHECK(b.entries() == 36);
    bool good = true;
    for (index_t j = 0; j < 8; ++j)
        for (count_t e = b.pattern.begin[j]; e < b.pattern.begin[j + 1]; ++e)
            good = good && b.value[e] == (b.pattern.row[e] == j ? 26 : -1);
    CHECK(good);
}

TEST_CASE("the Laplacians and elasticity are positive definite; poisson's smallest eigenvalue is known") {
    for (const Generated<double>& made :
         {poisson2d<double>(6), poisson3d<double>(4), grid27<double>(4), elasticity3d<double>(3)}) {
        const Inertia found = inertia_of(dense_of(made.matrix));
        CHECK(found.negative == 0);
        CHECK(found.smallest > 0.01L);
    }
    // x(i, j) = sin(pi i / 7) sin(pi j / 7): A x = (4 - 4 cos(pi / 7)) x.
    const SparseMatrix<double> a = poisson2d<double>(6).matrix;
    const double angle = std::acos(-1.0) / 7;
    std::vector<double> x, y(36);
    for (int j = 1; j <= 6; ++j)
        for (int i = 1; i <= 6; ++i) x.push_back(std::sin(angle * i) * std::sin(angle * j));
    multiply(a, Operation::none, 1, x.data(), 36, y.data(), 36);
    for (std::size_t i = 0; i < 36; ++i)
        // Five products whose sizes add up to 8, and sines that are right to an eps.
        CHECK(std::abs(y[i] - (4 - 4 * std::cos(angle)) * x[i]) <= 8 * rounding_bound<double>(5));
}

TEST_CASE(
    "elasticity: a rigid shift strains only the clamped face, and linear stretch gives its "
    "stress") {
    const index_t n = 4;
    const Generated<double> made = elasticity3d<double>(n);
    const std::size_t size = static_cast<std::size_t>(made.matrix.rows());
    std::vector<double> shift(size), force(size);
    for (std::size_t k = 0; k < size; ++k) shift[k] = k % 3 == 1 ? 1 : 0;
    multiply(made.matrix, Operation::none, 1, shift.data(), size, force.data(), size);
    // Displacement x e_x of the whole body, clamped at x = 0: the stress (lambda + 2 mu) pulls at
    // the outer face x = n alone, lambda at the sides.
    std::vector<double> stretch(size), pull(size);
    const auto number = [&](index_t x, index_t y, index_t z) { return 3 * (x + n * (y + n * z)); };
    for (index_t x = 0; x < n; ++x)
        for (index_t y = 0; y < n; ++y)
            for (index_t z = 0; z < n; ++z) stretch[number(x, y, z)] = x + 1;
    multiply(made.matrix, Operation::none, 1, stretch.data(), size, pull.data(), size);
    const double tolerance = 200 * epsilon<double>() * n;
    const double lambda = 0.3 / (1.3 * 0.4), mu = 0.5 / 1.3;
    double outer = 0;
    for (index_t x = 0; x < n; ++x)
        for (index_t y = 0; y < n; ++y)
            for (index_t z = 0; z < n; ++z) {
                const index_t k = number(x, y, z);
                if (x > 0)
                    for (int d = 0; d < 3; ++d) CHECK(std::abs(force[k + d]) <= tolerance);
                if (x < n - 1) CHECK(std::abs(pull[k]) <= tolerance);
                if (x == n - 1) outer += pull[k];
            }
    CHECK(std::abs(outer - (lambda + 2 * mu) * (n - 1) * (n - 1)) <= 100 * tolerance);
    double held = 0;
    for (index_t y = 0; y < n; ++y)
        for (index_t z = 0; z < n; ++z) held += std::abs(force[number(0, y, z) + 1]);
    CHECK(held > 0.1);
}

TEST_CASE(
    "convection-diffusion: rows sum to zero inside, columns do not; it is an M-matrix, not "
    "symmetric") {
    const index_t n = 5;
    const SparseMatrix<double> a = convdiff3d<double>(n).matrix;
    const Dense d = dense_of(a);
    const auto inside = [&](index_t k) {
        const index_t x = k % n, y = k / n % n, z = k / n / n;
        return x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1;
    };
    for (index_t i = 0; i < a.rows(); ++i) {
        long double sum = 0;
        for (index_t j = 0; j < a.cols(); ++j) {
            sum += d[i][j].real();
            if (i != j) CHECK(d[i][j].real() <= 0);
        }
        if (inside(i))
            CHECK(std::abs(sum) <= 100 * epsilon<double>());
        else
            CHECK(sum > 0.5L);
    }
    CHECK(symmetry_defect(a) > 1);
}

TEST_CASE("helmholtz: complex symmetric, waves pass the inner scheme, layers absorb") {
    const index_t n = 19;  // 8 layers, 3 inner nodes along each axis
    const Generated<Complex> made = helmholtz3d<Complex>(n);
    CHECK(made.matrix.symmetry == Symmetry::symmetric);
    const std::size_t size = static_cast<std::size_t>(made.matrix.rows());
    // p = exp(i k x): the inner equations hold up to (k h)^6 / 240 (Numerov) and the quality
    // factor's damping.
    const double kh = 2 * std::acos(-1.0) / 15;
    std::vector<Complex> p(size), r(size);
    for (std::size_t k = 0; k < size; ++k) p[k] = std::exp(Complex(0, kh * static_cast<double>(k % n)));
    multiply(made.matrix, Operation::none, 1, p.data(), size, r.data(), size);
    const index_t middle = 9 + n * (9 + n * 9);
    const double truncation = std::pow(kh, 6) / 240;
    const double damping = kh * kh * 1e-4;
    CHECK(std::abs(r[middle]) <= 1.1 * (truncation + damping));
    CHECK(std::abs(r[middle]) >= 0.1 * damping);
    const index_t edge = 1 + n * (9 + n * 9);
    CHECK(std::abs(r[edge]) > 100 * std::abs(r[middle]));
    const Dense d = dense_of(helmholtz3d<Complex>(4).matrix);
    CHECK(d[0][1] == d[1][0]);
    CHECK(d[0][0].imag() != 0.0L);
}

TEST_CASE("kkt: symmetric indefinite, 2 N^3 positive and N^3 negative eigenvalues, none near zero") {
    for (const index_t n : {1, 2, 3}) {
        const Generated<double> made = kkt<double>(n);
        const Inertia found = inertia_of(dense_of(made.matrix));
        CHECK(found.positive == 2 * n * n * n);
        CHECK(found.negative == n * n * n);
        constexpr long double far_from_null = 1e-4L;  // found by trial: far above what rounding leaves of a null pivot
        CHECK(found.smallest > far_from_null);
    }
}

TEST_CASE("requests: text to kind and size, and the errors") {
    CHECK_FALSE(parse_generator("matrix.mtx"));
    CHECK_FALSE(parse_generator(""));
    std::set<std::string> names;
    for (const GeneratorInfo& info : generators()) {
        CHECK(&generator_info(info.kind) == &info);
        CHECK(names.insert(info.name).second);
        CHECK(std::string(info.description).size() > 20);
        const auto request = parse_generator(std::string("generate:") + info.name + ":3");
        REQUIRE(request);
        CHECK(request->kind == info.kind);
        CHECK(request->size == 3);
        const AnyGenerated made = generate(*request);
        CHECK(std::holds_alternative<Generated<Complex>>(made) == info.is_complex);
        CHECK(std::visit([](const auto& m) { return m.matrix.rows(); }, made) > 0);
        CHECK_THROWS_AS(parse_generator(info.name, std::to_string(info.largest + 1)), InvalidArgument);
        CHECK_THROWS_AS(parse_generator(info.name, std::to_string(info.smallest - 1)), InvalidArgument);
        CHECK(parse_generator(info.name, std::to_string(info.largest)).size == info.largest);
    }
    CHECK(names.size() == 7);
    for (const char* text : {"generate:", "generate:poisson2d", "generate:poisson2d:", "generate:poisson2d:x",
                             "generate:poisson2d:3x", "generate:poisson2d:-3", "generate:poisson9d:3",
                             "generate:poisson2d:99999999999999999999", "generate:poisson2d:3:3"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_generator(text), InvalidArgument);
    }
    try {
        parse_generator("poison", "3");
    } catch (const InvalidArgument& error) {
        CHECK(std::string(error.what()).find("poisson3d, grid27") != std::string::npos);
    }
    CHECK_THROWS_AS(poisson3d<double>(0), InvalidArgument);
    CHECK_THROWS_AS(elasticity3d<double>(1), InvalidArgument);
}
