// SPDX-License-Identifier: BSD-3-Clause
// op(A) of the ranks that the calling thread leads.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "factors/other_ranks.hpp"
#include "frond/base/error.hpp"
#include "refinement/dense_products.hpp"

namespace frond::detail {

/// A matrix of the ranks that the calling thread leads, as get(OtherRanks) gives it.
/// @throws InvalidArgument  the thread leads none, or there is no such matrix
template <class T, class Get>
auto conducted_matrix(const char* which, const Get& get) {
    const OtherRanks<T>* const others = OtherRanks<T>::of_this_thread();
    auto matrix = others != nullptr ? get(*others) : nullptr;
    if (matrix == nullptr)
        throw InvalidArgument(
            std::string("several ranks have this ") + which +
            " matrix, which work together in calls of its Solver alone: use Solver::solve, condition or "
            "null_vectors on all of them");
    return matrix;
}

/// Asks for the products each time, since a copy of a Solver has the same factors and other ranks.
template <class T>
class ConductedOperator final : public DenseOperator<T> {
public:
    using Products = std::function<std::shared_ptr<const DenseOperator<T>>()>;
    ConductedOperator(index_t order, Products products) : order_(order), products_(std::move(products)) {}

    index_t order() const override { return order_; }
    void multiply(DenseView<const T> x, DenseView<T> y, const ParallelFor& parallel_for) const override {
        products_()->multiply(x, y, parallel_for);
    }
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w,
                  const ParallelFor& parallel_for) const override {
        products_()->residual(x, b, r, w, parallel_for);
    }
    void row_sums(const double* s, std::vector<double>& plain, std::vector<double>& scaled) const override {
        products_()->row_sums(s, plain, scaled);
    }

private:
    index_t order_;
    Products products_;
};

}  // namespace frond::detail
