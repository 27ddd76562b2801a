// SPDX-License-Identifier: BSD-3-Clause
#include "refinement/one_norm_estimate.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "system/largest_magnitude.hpp"
#include "refinement/sign_vectors.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace frond {
namespace {

template <class T>
class OneNormEstimator {
public:
    OneNormEstimator(index_t n, const ApplyBlock<T>& apply, const ApplyBlock<T>& apply_adjoint,
                     const OneNormOptions& options)
        : n_(n),
          t_(std::min(options.columns, n)),
          max_rounds_(options.max_rounds),
          apply_(apply),
          apply_adjoint_(apply_adjoint),
          x_(n, t_),
          row_size_(at(n)),
          order_(at(n)),
          tried_(at(n), 0) {}

    double estimate() {
        if (t_ == n_) return exact();
        x_.start();
        for (index_t round = 1; take_norms(round) && round <= max_rounds_; ++round) {
            if (!x_.make_signs(round == 1)) break;
            apply_adjoint_(x_.view());
            if (!choose_unit_vectors(round)) break;
        }
        return estimate_;
    }

private:
    double one_norm(index_t j) {
        const T* const x = x_.column(j);
        double sum = 0;
        for (index_t i = 0; i < n_; ++i) sum += magnitude(x[i]);
        return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
    }

    double exact() {
        for (index_t j = 0; j < n_; ++j) x_.column(j)[j] = T(1);
        apply_(x_.view());
        double largest = 0;
        for (index_t j = 0; j < n_; ++j) largest = std::max(largest, one_norm(j));
        return largest;
    }

    /// x := M x; false when the largest norm of a column did not grow.
    bool take_norms(index_t round) {
        apply_(x_.view());
        index_t best = 0;
        double largest = -1;
        for (index_t j = 0; j < t_; ++j) {
            const double norm = one_norm(j);
            if (norm <= largest) continue;
            largest = norm;
            best = j;
        }
        if (round > 1 && largest <= estimate_) return false;
        if (round > 1) best_unit_ = unit_[at(best)];
        estimate_ = largest;
        return std::isfinite(largest);
    }

    /// x := unit vectors of the rows where M^H S is largest, none of them tried before; false when
    /// the best one is known already.
    bool choose_unit_vectors(index_t round) {
        for (index_t i = 0; i < n_; ++i) {
            Largest row;
            for (index_t j = 0; j < t_; ++j) row.see(magnitude(x_.column(j)[i]));
            row_size_[at(i)] = row.value();
        }
        const double largest = *std::max_element(row_size_.begin(), row_size_.end());
        if (round > 1 && largest == row_size_[at(best_unit_)]) return false;
        std::iota(order_.begin(), order_.end(), 0);
        const auto before = [this](index_t a, index_t b) {
            const double ra = row_size_[at(a)], rb = row_size_[at(b)];
            return ra != rb ? ra > rb : a < b;
        };
        const count_t needed = std::min<count_t>(n_, t_ + tried_count_);
        std::partial_sort(order_.begin(), order_.begin() + needed, order_.end(), before);
        const bool all_tried =
            std::all_of(order_.begin(), order_.begin() + t_, [this](index_t i) { return tried_[at(i)] != 0; });
        if (all_tried) return false;
        take_untried(needed);
        return true;
    }

    void take_untried(count_t sorted) {
        x_.clear();
        unit_.clear();
        for (count_t k = 0; k < sorted && static_cast<index_t>(unit_.size()) < t_; ++k)
            if (tried_[at(order_[at(k)])] == 0) unit_.push_back(order_[at(k)]);
        while (static_cast<index_t>(unit_.size()) < t_) unit_.push_back(order_[0]);
        for (index_t j = 0; j < t_; ++j) {
            x_.column(j)[unit_[at(j)]] = T(1);
            tried_count_ += tried_[at(unit_[at(j)])] == 0;
            tried_[at(unit_[at(j)])] = 1;
        }
    }

    index_t n_, t_, max_rounds_;
    const ApplyBlock<T>& apply_;
    const ApplyBlock<T>& apply_adjoint_;
    SignVectors<T> x_;  // [n, t]
    std::vector<double> row_size_;
    std::vector<index_t> order_;
    std::vector<char> tried_;
    index_t tried_count_ = 0;
    std::vector<index_t> unit_;  // e_i in each column of x
    index_t best_unit_ = 0;
    double estimate_ = 0;
};

}  // namespace

template <class T>
double estimate_one_norm(index_t n, const ApplyBlock<T>& apply, const ApplyBlock<T>& apply_adjoint,
                         const OneNormOptions& options) {
    FROND_EXPECTS(n >= 0 && options.columns > 0 && options.max_rounds >= 0,
                  "n and max_rounds must not be negative, columns must be positive");
    if (n == 0) return 0;
    return OneNormEstimator<T>(n, apply, apply_adjoint, options).estimate();
}

#define FROND_INSTANTIATE(T) \
    template double estimate_one_norm<T>(index_t, const ApplyBlock<T>&, const ApplyBlock<T>&, const OneNormOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
