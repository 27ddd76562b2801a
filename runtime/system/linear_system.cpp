// SPDX-License-Identifier: BSD-3-Clause
#include "system/linear_system.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/loop_purpose.hpp"
#include "frond/base/vector_index.hpp"

#include <algorithm>
#include <limits>

namespace frond {

template <class T>
double tiny_share(index_t n) {
    const double eps = static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
    return std::min(1000.0 * n * eps, 1e-3);
}

template <class T>
LinearSystem<T>::LinearSystem(std::shared_ptr<const Operator<T>> a, const std::vector<double>* solution_scale)
    : a_(std::move(a)), tiny_(tiny_share<T>(order())) {
    const bool has_scale = solution_scale != nullptr && !solution_scale->empty();
    FROND_EXPECTS(!has_scale || solution_scale->size() == at(rows()), "solution_scale must have one number a row");
    // A process without rows does not see that the others have a scale.
    Largest scaled;
    scaled.see(has_scale ? 1 : 0);
    a_->join({&scaled, 1});
    const std::vector<double> no_rows;
    keep_row_sums(scaled.value() == 0 ? nullptr : has_scale ? solution_scale : &no_rows);
}

template <class T>
void LinearSystem<T>::keep_row_sums(const std::vector<double>* solution_scale) {
    const std::vector<RowSum> sums = a_->row_sums(solution_scale);
    Largest norm;
    a_->together([&] {
        row_sum_.reserve(sums.size());
        for (const RowSum& sum : sums) row_sum_.push_back(static_cast<real_t<T>>(sum.plain));
        for (const real_t<T> sum : row_sum_) norm.see(static_cast<double>(sum));
        if (solution_scale == nullptr) return;
        scaled_row_sum_.reserve(sums.size());
        inverse_scale_.reserve(sums.size());
        for (const RowSum& sum : sums) scaled_row_sum_.push_back(static_cast<real_t<T>>(sum.scaled));
        for (const double s : *solution_scale) inverse_scale_.push_back(1 / s);
    });
    a_->join({&norm, 1});
    norm_ = norm.value();
}

template <class T>
void LinearSystem<T>::multiply(const T* x, T* y) const {
    const LoopPurpose purpose("product");
    const index_t ld = std::max(rows(), 1);
    a_->multiply({x, rows(), 1, ld}, {y, rows(), 1, ld});
}

template <class T>
void LinearSystem<T>::residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const {
    const LoopPurpose purpose("residual");
    a_->residual(x, b, r, w);
}

#define FROND_INSTANTIATE(T)                \
    template double tiny_share<T>(index_t); \
    template class LinearSystem<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
