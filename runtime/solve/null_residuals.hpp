// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/vector_index.hpp"
#include "refinement/twice_sum.hpp"
#include "substitution/factor_solve.hpp"
#include "system/largest_magnitude.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace frond::detail {

/// An entry of Y^H A X, and how much of it rounding of A may be.
template <class T>
struct RoundedEntry {
    T value = T(0);
    double limit = 0;
    bool is_rounding() const { return !(magnitude(value) > limit); }
};

/// A X for vectors X that nearly solve A x = 0, summed with twice the digits, and how far rounding of A may have moved
/// it. Entry a_ij was rounded once, or is a sum of as many rounded terms as its row has entries, n_i. With u = eps / 2,
/// of y^H A x that explains 4 sqrt(n_i) u in the root mean square, as if errors were independent; or u |y|^T |A| |x|,
/// since those of equal entries are equal; but never more than (n_i + 1) eps |y|^T |A| |x|.
template <class T>
class NullResiduals {
public:
    /// kept: rows in which A x should be 0. x [n, any number of vectors]
    NullResiduals(const FactorsState<T>& state, std::vector<char> kept, DenseView<const T> x)
        : row_scale_(state.system.scaling->row), n_(x.rows), kept_(std::move(kept)) {
        const Operator<T>& a = state.system.linear_system(Operation::none).applied();
        entries_ = a.entries_of_rows();
        residual_.resize(at(n_) * at(x.cols));
        size_.resize(residual_.size());
        if (add_exactly(a, x)) return;
        const std::vector<T> none(residual_.size(), T(0));
        std::vector<real_t<T>> weight(residual_.size());
        const DenseView<T> r{residual_.data(), n_, x.cols, n_};
        a.residual(x, {none.data(), n_, x.cols, n_}, r, weight.data());
        std::transform(residual_.begin(), residual_.end(), residual_.begin(), [](T v) { return -v; });
        std::copy(weight.begin(), weight.end(), size_.begin());
    }

    double row_scale(index_t i) const { return row_scale_.empty() ? 1 : row_scale_[at(i)]; }

    /// (A x)_i of vector k: of a row that is not kept the entry of S, if A x is 0 in the others.
    RoundedEntry<T> in_row(index_t i, index_t k) const {
        const double scale = row_scale(i);
        return {residual_[place(i, k)], limit(k, i, i + 1, [scale](index_t) { return scale; }) / scale};
    }

    /// y^H A x, y [n]; scale: of the row where y is 1
    RoundedEntry<T> entry(const T* y, double scale, index_t k) const {
        TwiceSumOf<T> sum;
        for (index_t i = 0; i < n_; ++i) sum.add(conjugate(y[i]), residual_[place(i, k)]);
        return {sum.value(), limit(k, 0, n_, [&](index_t i) { return magnitude(y[i]) * scale; }) / scale};
    }

private:
    std::size_t place(index_t i, index_t k) const { return at(i) + at(k) * at(n_); }

    /// False: the entries are not in this process.
    bool add_exactly(const Operator<T>& a, DenseView<const T> x) {
        std::vector<TwiceSumOf<T>> sum(residual_.size());
        square_.resize(residual_.size());
        const bool visited = a.visit_entries([&](index_t i, index_t j, T a_ij) {
            for (index_t k = 0; k < x.cols; ++k) {
                const std::size_t p = place(i, k);
                const double size = magnitude(a_ij) * magnitude(x(j, k)), scaled = row_scale(i) * size;
                sum[p].add(a_ij, x(j, k));
                size_[p] += size;
                square_[p] += scaled * scaled;
            }
        });
        if (visited)
            std::transform(sum.begin(), sum.end(), residual_.begin(), [](const auto& s) { return s.value(); });
        else
            square_.clear();
        return visited;
    }

    /// Rounding in rows [first, end) of y^H A x, size_of_y(i) = |y_i|. A residual beyond it is not known better.
    template <class SizeOfY>
    double limit(index_t k, index_t first, index_t end, const SizeOfY& size_of_y) const {
        constexpr double eps = std::numeric_limits<real_t<T>>::epsilon(), u = eps / 2, deviations = 4;
        double worst = 0, once = 0, square = 0, beyond = 0;
        for (index_t i = first; i < end; ++i) {
            const double y = size_of_y(i), size = size_[place(i, k)], rounding = (entries_[at(i)] + 1) * eps * size;
            const double left = kept_[at(i)] != 0 ? magnitude(residual_[place(i, k)]) : 0;
            worst += y * rounding;
            once += y * u * size;
            if (square_.empty()) {
                beyond += y * left;
                continue;
            }
            beyond += y * std::max(left - rounding, 0.0);
            const double share = y / row_scale(i);
            square += entries_[at(i)] * share * share * square_[place(i, k)];
        }
        if (square_.empty()) return worst + beyond;
        return beyond + std::min(worst, std::max(deviations * u * std::sqrt(square), once));
    }

    const std::vector<double>& row_scale_;
    index_t n_;
    std::vector<char> kept_;
    std::vector<index_t> entries_;
    std::vector<T> residual_;
    std::vector<double> size_;  // |A| |x|
    std::vector<double> square_;  // of scaled rows: sum |a_ij x_j|^2; empty where products are ordinary ones
};

}  // namespace frond::detail
