// SPDX-License-Identifier: BSD-3-Clause
#include "factors/conducted_dense.hpp"

#include "factors/other_ranks.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::detail {
namespace {

template <class T>
std::shared_ptr<const DenseRanks<T>> conducted_matrix() {
    const OtherRanks<T>* const others = OtherRanks<T>::of_this_thread();
    std::shared_ptr<const DenseRanks<T>> matrix = others != nullptr ? others->dense_matrix() : nullptr;
    if (matrix == nullptr)
        throw InvalidArgument(
            "several ranks have this dense matrix, which work together in calls of its Solver alone: "
            "use Solver::solve, condition or null_vectors on all of them");
    return matrix;
}

template <class T>
class ConductedOperator final : public DenseOperator<T> {
public:
    ConductedOperator(index_t order, Operation op) : order_(order), op_(op) {}

    index_t order() const override { return order_; }
    void multiply(DenseView<const T> x, DenseView<T> y, const ParallelFor& parallel_for) const override {
        conducted_matrix<T>()->products(op_)->multiply(x, y, parallel_for);
    }
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w,
                  const ParallelFor& parallel_for) const override {
        conducted_matrix<T>()->products(op_)->residual(x, b, r, w, parallel_for);
    }
    void row_sums(const double* s, std::vector<double>& plain, std::vector<double>& scaled) const override {
        conducted_matrix<T>()->products(op_)->row_sums(s, plain, scaled);
    }

private:
    index_t order_;
    Operation op_;
};

}  // namespace

template <class T>
std::vector<T> ConductedDense<T>::diagonal() const {
    return conducted_matrix<T>()->diagonal();
}

template <class T>
bool ConductedDense<T>::may_be_definite(const std::vector<double>& root) const {
    return conducted_matrix<T>()->may_be_definite(root);
}

template <class T>
DenseMaxima ConductedDense<T>::maxima(const Scaling& scaling) const {
    return conducted_matrix<T>()->maxima(scaling);
}

template <class T>
std::shared_ptr<const DenseOperator<T>> ConductedDense<T>::products(Operation op) const {
    return std::make_shared<const ConductedOperator<T>>(order_, op);
}

template <class T>
index_t ConductedDense<T>::tile_of_layout() const {
    return conducted_matrix<T>()->tile_of_layout();
}

template <class T>
std::unique_ptr<DenseLoading<T>> ConductedDense<T>::loading(const TileGrid& grid, Factorization kind,
                                                            const Scaling& scaling, const TreeShare* share) const {
    return conducted_matrix<T>()->loading(grid, kind, scaling, share);
}

#define FROND_INSTANTIATE(T) template class ConductedDense<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
