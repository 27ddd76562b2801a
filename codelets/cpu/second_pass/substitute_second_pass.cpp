// SPDX-License-Identifier: BSD-3-Clause
// Substitution with the columns of the second pass of a front: values are gathered from their rows, run through the dense
// factors and put back.
#include "../blas.hpp"
#include "../scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "second_pass_parts.hpp"

namespace frond::cpu {

using blas::Diagonal;
using blas::Op;
using blas::Side;
using blas::Uplo;

namespace {

/// One list of SecondPassRows.
struct RowList {
    const index_t* number;
    index_t first;

    index_t operator()(index_t i) const { return number[i] - first; }
};

template <class T>
std::vector<T> gathered(RowList rows, index_t count, DenseView<const T> x) {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(count) * static_cast<std::size_t>(x.cols));
    for (index_t j = 0; j < x.cols; ++j)
        for (index_t i = 0; i < count; ++i) values.push_back(x(rows(i), j));
    return values;
}

template <class T>
void scatter(DenseView<const T> t, RowList rows, DenseView<T> x) {
    for (index_t j = 0; j < t.cols; ++j)
        for (index_t i = 0; i < t.rows; ++i) x(rows(i), j) = t(i, j);
}

Op blas_op(Operation op) {
    return op == Operation::none ? Op::none : op == Operation::transpose ? Op::transpose : Op::adjoint;
}

/// A triangular factor, its operation, and where its values are in x before and after.
template <class T>
struct Pass {
    TriangularFactor<T> factor;
    bool is_lower = true;
    Operation op = Operation::none;
    RowList from, to;

    void solve_triangle(DenseView<T> x) const {
        blas::trsm<T>(Side::left, is_lower ? Uplo::lower : Uplo::upper, blas_op(op),
                      is_lower ? Diagonal::unit : Diagonal::stored, factor.triangle, x);
    }
};

RowList rows_before(const SecondPassRows& rows) { return {rows.row, rows.first}; }

RowList rows_after(Factorization kind, const SecondPassRows& rows) {
    return {kind == Factorization::lu ? rows.row_after : rows.row, rows.first};
}

/// L, or U^T over the columns.
template <class T>
Pass<T> forward_pass(Factorization kind, Operation op, const SecondPass<T>& second_pass, const SecondPassRows& rows) {
    if (kind == Factorization::lu && op != Operation::none) {
        const RowList columns{rows.column, rows.first};
        return {upper_factor(second_pass), false, op, columns, columns};
    }
    return {lower_factor(second_pass), true, Operation::none, rows_before(rows), rows_after(kind, rows)};
}

/// U, or L^T over the rows.
template <class T>
Pass<T> backward_pass(Factorization kind, Operation op, const SecondPass<T>& second_pass, const SecondPassRows& rows) {
    if (kind == Factorization::lu && op == Operation::none) {
        const RowList columns{rows.column, rows.first};
        return {upper_factor(second_pass), false, op, columns, columns};
    }
    if (kind != Factorization::lu) op = kind == Factorization::ldlt ? Operation::transpose : Operation::adjoint;
    return {lower_factor(second_pass), true, op, rows_after(kind, rows), rows_before(rows)};
}

template <class T>
DenseView<T> own_part(const SecondPass<T>& second_pass, const SecondPassRows& rows, DenseView<T> x) {
    return x.block(rows.own, 0, second_pass.npiv, x.cols);
}

}  // namespace

template <class T>
void forward_second_pass(Factorization kind, Operation op, const SecondPass<T>& second_pass, const SecondPassRows& rows,
                         DenseView<T> x, DenseView<T> y) {
    if (x.cols == 0) return;
    const Pass<T> pass = forward_pass(kind, op, second_pass, rows);
    const TriangularFactor<T>& factor = pass.factor;
    const index_t count = factor.count, kept = second_pass.kept;
    std::vector<T> values = gathered<T>(pass.from, count, x);
    const DenseView<T> t = packed_view(values, count, x.cols), t1 = t.block(0, 0, kept, x.cols);
    if (!factor.own.empty()) subtract_product<T>(factor.own, pass.op, own_part(second_pass, rows, x), t);
    pass.solve_triangle(t1);
    subtract_product<T>(factor.rest, pass.op, t1, t.block(kept, 0, count - kept, x.cols));
    subtract_product<T>(factor.contribution, pass.op, t1, y);
    scatter<T>(t, pass.to, x);
}

template <class T>
void diagonal_second_pass(Factorization kind, const SecondPass<T>& second_pass, const SecondPassRows& rows,
                          DenseView<T> x) {
    if (kind != Factorization::ldlt && kind != Factorization::ldlh) return;
    const RowList row{rows.column, rows.first};
    for (index_t k = 0; k < second_pass.kept; ++k) {
        const T *pivot = second_pass.pivots.data() + 2 * k, d = pivot[0], e = pivot[1];
        if (e == T(0)) {
            for (index_t j = 0; j < x.cols; ++j) x(row(k), j) = x(row(k), j) / d;
            continue;
        }
        const TwoByTwoInverse<T> inverse(d, e, pivot[2], kind == Factorization::ldlh);
        for (index_t j = 0; j < x.cols; ++j) {
            const T x1 = x(row(k), j), x2 = x(row(k + 1), j);
            x(row(k), j) = multiply(inverse.a11, x1) + multiply(inverse.a12, x2);
            x(row(k + 1), j) = multiply(inverse.a21, x1) + multiply(inverse.a22, x2);
        }
        ++k;
    }
}

template <class T>
void backward_second_pass(Factorization kind, Operation op, const SecondPass<T>& second_pass,
                          const SecondPassRows& rows, DenseView<const T> y, DenseView<T> x) {
    if (x.cols == 0) return;
    const Pass<T> pass = backward_pass(kind, op, second_pass, rows);
    const TriangularFactor<T>& factor = pass.factor;
    const index_t count = factor.count, kept = second_pass.kept;
    std::vector<T> values = gathered<T>(pass.from, count, x);
    const DenseView<T> t = packed_view(values, count, x.cols), t1 = t.block(0, 0, kept, x.cols);
    for (index_t j = 0; j < t.cols; ++j) std::fill_n(t.column(j) + kept, factor.null, T(0));
    subtract_product<T>(factor.rest, pass.op, t.block(kept, 0, count - kept, x.cols), t1);
    subtract_product<T>(factor.contribution, pass.op, y, t1);
    pass.solve_triangle(t1);
    scatter<T>(t, pass.to, x);
    if (!factor.own.empty()) subtract_product<T>(factor.own, pass.op, t, own_part(second_pass, rows, x));
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template void forward_second_pass<T>(Factorization, Operation, const SecondPass<T>&, const SecondPassRows&,      \
                                         DenseView<T>, DenseView<T>);                                                \
    template void diagonal_second_pass<T>(Factorization, const SecondPass<T>&, const SecondPassRows&, DenseView<T>); \
    template void backward_second_pass<T>(Factorization, Operation, const SecondPass<T>&, const SecondPassRows&,     \
                                          DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
