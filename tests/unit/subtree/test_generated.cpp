// SPDX-License-Identifier: BSD-3-Clause
// Model problems through the real analysis: matching, scaling, ordering, amalgamated fronts; the
// whole tree as one subtree, P Dr A Dc Q = L U and its symmetric kin.
#include "frond/base/instantiate.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/operations.hpp"
#include "scalar_lists.hpp"
#include "subtree_problem.hpp"

#include <doctest/doctest.h>

#include <variant>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
SparseMatrix<T> scaled(const SparseMatrix<T>& a, const Scaling& scaling) {
    SparseMatrix<T> b = a;
    if (scaling.row.empty()) return b;
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e) {
            const auto i = static_cast<std::size_t>(a.pattern.row[static_cast<std::size_t>(e)]);
            b.value[static_cast<std::size_t>(e)] *=
                static_cast<real_t<T>>(scaling.row[i] * scaling.column[static_cast<std::size_t>(j)]);
        }
    return b;
}

template <class T>
std::vector<T> permuted(const std::vector<T>& x, const std::vector<index_t>& order) {
    std::vector<T> y;
    for (const index_t k : order) y.push_back(x[static_cast<std::size_t>(k)]);
    return y;
}

/// Solves op(B) x = b for the scaled matrix B; returns ||op(B) x - b||_inf / (||op(B)|| ||x|| +
/// ||b||).
template <class T>
double solve_error(const SparseMatrix<T>& b, const Analysis& analysis, FactoredSubtree<T>& factors, Operation op) {
    const index_t n = analysis.order;
    const auto& in = op == Operation::none ? analysis.row_order : analysis.column_order;
    const auto& out = op == Operation::none ? analysis.column_order : analysis.row_order;
    const RandomBlock<T> random(n, 1, 3);
    const std::vector<T> rhs(random.view.data, random.view.data + n);
    std::vector<T> work = permuted(rhs, in), x(rhs.size()), r(rhs.size());
    const DenseView<T> view{work.data(), n, 1, n}, none{nullptr, 0, 1, 1};
    factors.forward(op, view, none);
    factors.diagonal(op, view);
    factors.backward(op, view, none.as_const());
    for (std::size_t k = 0; k < out.size(); ++k) x[static_cast<std::size_t>(out[k])] = work[k];
    residual(b, op, 1, x.data(), n, rhs.data(), n, r.data(), n);
    const auto largest_of = [](const std::vector<T>& v) {
        double m = 0;
        for (const T& e : v) m = !(std::abs(e) <= m) ? static_cast<double>(std::abs(e)) : m;
        return m;
    };
    const MatrixNorms norms = matrix_norms(b);
    const double norm = op == Operation::none ? norms.infinity : norms.one;
    return largest_of(r) / (norm * largest_of(x) + largest_of(rhs));
}

template <class T>
void check_model_problem(const SparseMatrix<T>& a, Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    const AnalysisResult result = analyze(a, options);
    const Analysis& analysis = *result.analysis;
    const SparseMatrix<T> b = scaled(a, result.scaling);
    FactoredSubtree<T> factors(b, analysis, whole_tree(analysis.tree));
    CHECK(factors.report.failed_column == -1);
    CHECK(factors.report.perturbed == 0);
    // 3 n operations an entry were the worst case; growth up to 100 for pivoting inside fronts
    // only.
    const double bound = 300.0 * analysis.cost.largest_front * (is_complex<T> ? 8 : 2) *
                         static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
    for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint})
        CHECK(solve_error(b, analysis, factors, op) <= bound);
    CHECK(factors.intact());
}

}  // namespace

TEST_CASE("model problems by the factorization that suits them, and by LU") {
    for (const auto& [kind, size] : {std::pair{GeneratorKind::poisson2d, 40},
                                     {GeneratorKind::poisson3d, 9},
                                     {GeneratorKind::grid27, 8},
                                     {GeneratorKind::convdiff3d, 9},
                                     {GeneratorKind::helmholtz3d, 18},
                                     {GeneratorKind::elasticity3d, 4},
                                     {GeneratorKind::kkt, 6}}) {
        CAPTURE(generator_info(kind).name);
        const AnyGenerated any = generate({kind, std::max(size, generator_info(kind).smallest)});
        std::visit(
            []<class T>(const Generated<T>& generated) {
                if constexpr (is_built<T>()) {
                    check_model_problem(generated.matrix, Factorization::automatic);
                    check_model_problem(generated.matrix, Factorization::lu);
                    if (generated.matrix.symmetry == Symmetry::symmetric)
                        check_model_problem(generated.matrix, Factorization::ldlt);
                }
            },
            any);
    }
}

TEST_CASE_TEMPLATE_DEFINE("a two-dimensional grid in every precision", T, grid_in_every_precision) {
    check_model_problem(poisson2d<T>(30).matrix, Factorization::automatic);
    check_model_problem(poisson2d<T>(30).matrix, Factorization::ldlt);
    check_model_problem(poisson2d<T>(30).matrix, Factorization::lu);
}

TEST_CASE_TEMPLATE_APPLY(grid_in_every_precision, Scalars);
