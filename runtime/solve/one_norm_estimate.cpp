// SPDX-License-Identifier: BSD-3-Clause
#include "solve/one_norm_estimate.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "solve/largest_magnitude.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace frond {
namespace {

/// y / |y|, and 1 for 0: the entries of the subgradient of ||y||_1.
template <class T>
T sign_of(T y) {
    if constexpr (is_complex<T>) {
        const auto size = std::abs(y);
        return size > 0 ? y / size : T(1);
    } else {
        return y < 0 ? T(-1) : T(1);
    }
}

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
          x_(at(n) * at(t_)),
          signs_before_(x_.size()),
          row_size_(at(n)),
          order_(at(n)),
          tried_(at(n), 0) {}

    double estimate() {
        if (t_ == n_) return exact();
        start();
        for (index_t round = 1; take_norms(round) && round <= max_rounds_; ++round) {
            if (!make_signs(round)) break;
            apply_adjoint_(view());
            if (!choose_unit_vectors(round)) break;
        }
        return estimate_;
    }

private:
    DenseView<T> view() { return {x_.data(), n_, t_, n_}; }

    T* column(std::vector<T>& x, index_t j) { return x.data() + static_cast<count_t>(j) * n_; }

    double one_norm(index_t j) {
        const T* const x = column(x_, j);
        double sum = 0;
        for (index_t i = 0; i < n_; ++i) sum += magnitude(x[i]);
        return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
    }

    double exact() {
        for (index_t j = 0; j < n_; ++j) column(x_, j)[j] = T(1);
        apply_(view());
        double largest = 0;
        for (index_t j = 0; j < n_; ++j) largest = std::max(largest, one_norm(j));
        return largest;
    }

    /// e / n and random signs / n, no two parallel.
    void start() {
        std::fill(x_.begin(), x_.end(), T(1));
        for (index_t j = 1; j < t_; ++j) {
            do randomize(j);
            while (parallel_to_earlier(j));
        }
        const T share = T(1) / T(static_cast<real_t<T>>(n_));
        for (T& x : x_) x *= share;
    }

    void randomize(index_t j) {
        T* const x = column(x_, j);
        for (index_t i = 0; i < n_; ++i) x[i] = (random_() >> 63) != 0 ? T(1) : T(-1);
    }

    /// Columns of +1 and -1 only.
    bool parallel(const T* a, const T* b) const {
        const T first = a[0] * b[0];
        for (index_t i = 1; i < n_; ++i)
            if (a[i] * b[i] != first) return false;
        return true;
    }

    bool parallel_to_earlier(index_t j) {
        for (index_t k = 0; k < j; ++k)
            if (parallel(column(x_, j), column(x_, k))) return true;
        return false;
    }

    bool parallel_to_before(index_t j) {
        for (index_t k = 0; k < t_; ++k)
            if (parallel(column(x_, j), column(signs_before_, k))) return true;
        return false;
    }

    /// x := M x; false when the largest norm of a column did not grow.
    bool take_norms(index_t round) {
        apply_(view());
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

    /// x := sign(x); false when every column repeats one of the round before (real only: n random
    /// phases are never parallel).
    bool make_signs(index_t round) {
        for (T& x : x_) x = sign_of(x);
        if constexpr (!is_complex<T>) {
            index_t repeated = 0;
            for (index_t j = 0; j < t_ && round > 1; ++j) repeated += parallel_to_before(j);
            if (repeated == t_) return false;
            for (index_t j = 0; j < t_ && t_ > 1; ++j) replace_if_parallel(j, round > 1);
            signs_before_ = x_;
        }
        return true;
    }

    /// Few trials: for very small n there may be no other direction left.
    void replace_if_parallel(index_t j, bool also_before) {
        constexpr int trials = 20;
        for (int k = 0; k < trials; ++k) {
            if (!parallel_to_earlier(j) && !(also_before && parallel_to_before(j))) return;
            randomize(j);
        }
    }

    /// x := unit vectors of the rows where M^H S is largest, none of them tried before; false when
    /// the best one is known already.
    bool choose_unit_vectors(index_t round) {
        for (index_t i = 0; i < n_; ++i) {
            Largest row;
            for (index_t j = 0; j < t_; ++j) row.see(magnitude(column(x_, j)[i]));
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
        std::fill(x_.begin(), x_.end(), T(0));
        unit_.clear();
        for (count_t k = 0; k < sorted && static_cast<index_t>(unit_.size()) < t_; ++k)
            if (tried_[at(order_[at(k)])] == 0) unit_.push_back(order_[at(k)]);
        while (static_cast<index_t>(unit_.size()) < t_) unit_.push_back(order_[0]);
        for (index_t j = 0; j < t_; ++j) {
            column(x_, j)[unit_[at(j)]] = T(1);
            tried_count_ += tried_[at(unit_[at(j)])] == 0;
            tried_[at(unit_[at(j)])] = 1;
        }
    }

    index_t n_, t_, max_rounds_;
    const ApplyBlock<T>& apply_;
    const ApplyBlock<T>& apply_adjoint_;
    std::mt19937_64 random_{2000};
    std::vector<T> x_, signs_before_;  // [n, t]
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
