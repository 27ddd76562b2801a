// SPDX-License-Identifier: BSD-3-Clause
#include "system/sparse_operator.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

#include <string>

namespace frond {

template <class T>
SparseOperator<T>::SparseOperator(const SparseMatrix<T>& a, Operation op, ParallelFor parallel_for)
    : Operator<T>(std::move(parallel_for)),
      a_(a),
      op_(op),
      plan_(plan_products(a.pattern)),
      products_{&plan_, this->parallel_for()} {
    FROND_EXPECTS(a.rows() == a.cols(), "the matrix has " + std::to_string(a.rows()) + " rows and " +
                                            std::to_string(a.cols()) + " columns; give a square one");
}

template <class T>
void SparseOperator<T>::multiply(DenseView<const T> x, DenseView<T> y) const {
    frond::multiply(a_, op_, x.cols, x.data, x.ld, y.data, y.ld, products_);
}

template <class T>
void SparseOperator<T>::residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const {
    residual_and_weights(a_, op_, x.cols, x.data, x.ld, b.data, b.ld, r.data, r.ld, w, order(), products_);
}

template <class T>
template <class OfValue, class Visit>
void SparseOperator<T>::for_each_entry(const OfValue& of_value, const Visit& visit) const {
    const Pattern& p = a_.pattern;
    const bool mirrored = a_.symmetry != Symmetry::general, transposed = op_ != Operation::none;
    for (std::size_t j = 0; j < at(order()); ++j)
        for (std::size_t e = at(p.begin[j]); e < at(p.begin[j + 1]); ++e) {
            const std::size_t i = at(p.row[e]);
            const auto value = of_value(a_.value[e]);
            if (mirrored || !transposed) visit(i, j, value);
            if (mirrored ? i != j : transposed) visit(j, i, value);
        }
}

template <class T>
std::vector<RowSum> SparseOperator<T>::row_sums(const std::vector<double>* s) const {
    std::vector<RowSum> sums(at(order()));
    const auto add_plain = [&](std::size_t i, std::size_t, double size) { sums[i].plain += size; };
    const auto add_both = [&](std::size_t i, std::size_t j, double size) {
        sums[i].plain += size;
        sums[i].scaled += size * (*s)[j];
    };
    s == nullptr ? for_each_entry(magnitude<T>, add_plain) : for_each_entry(magnitude<T>, add_both);
    return sums;
}

template <class T>
bool SparseOperator<T>::visit_entries(const std::function<void(index_t, index_t, T)>& visit) const {
    const auto entry = [&](std::size_t i, std::size_t j, T value) {
        const bool conjugated =
            a_.symmetry == Symmetry::hermitian ? (i < j) != (op_ == Operation::transpose) : op_ == Operation::adjoint;
        visit(static_cast<index_t>(i), static_cast<index_t>(j), conjugated ? conjugate(value) : value);
    };
    for_each_entry([](T value) { return value; }, entry);
    return true;
}

template <class T>
std::vector<index_t> SparseOperator<T>::entries_of_rows() const {
    std::vector<index_t> entries(at(order()), 0);
    for_each_entry([](T) { return 1; }, [&](std::size_t i, std::size_t, int one) { entries[i] += one; });
    return entries;
}

#define FROND_INSTANTIATE(T) template class SparseOperator<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
