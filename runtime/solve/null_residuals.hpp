// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/vector_index.hpp"
#include "refinement/forward_error.hpp"
#include "system/largest_magnitude.hpp"
#include "solve/null_vectors.hpp"

#include <limits>
#include <random>
#include <vector>

namespace frond::detail {

/// A X of null vectors X, each of one or the sum of several null columns, and what of it rounding may be.
template <class T>
class NullResiduals {
public:
    /// columns, rows: the null ones; vectors: at most as many as there are columns.
    NullResiduals(const FactorsState<T>& state, const std::vector<index_t>& columns, const std::vector<index_t>& rows,
                  index_t vectors, const std::atomic<bool>* cancel)
        : state_(state), n_(state.analysis->order), columns_(columns), rows_(rows), vectors_(vectors), cancel_(cancel) {
        make_residuals();
    }

    T entry(index_t i, index_t k) const { return residual_[at(i) + at(k) * at(n_)]; }

    /// |A x| in row i, of a null row the entry of S.
    double left(index_t i, index_t k) const { return magnitude(residual_[at(i) + at(k) * at(n_)]); }

    double size(index_t i, index_t k) const { return scale(state_.system.scaling->row, i) * left(i, k); }

    /// What is left, in units of the rounding of the row itself.
    double share(index_t i, index_t k) const {
        return left(i, k) / static_cast<double>(weight_[at(i) + at(k) * at(n_)]);
    }

    bool stands_out(index_t i) const {
        for (index_t k = 0; k < vectors_; ++k)
            if (share(i, k) > 1) return true;
        return false;
    }

    /// |y|^T weight for each of these rows and each vector.
    std::vector<double> limits_of_rounding(const std::vector<index_t>& rows) {
        if (rows.empty()) return {};
        std::vector<T> y(at(n_) * rows.size());
        const DenseView<T> yv{y.data(), n_, static_cast<index_t>(rows.size()), n_};
        for (index_t d = 0; d < yv.cols; ++d) yv(rows[at(d)], d) = T(1);
        const SolveOptions solve_options = options(Operation::adjoint);
        FactorSolve<T> inverse(state_, solve_options);
        complete_null_vectors(state_.system.linear_system(Operation::adjoint), inverse, yv);
        std::vector<double> limits;
        for (index_t d = 0; d < yv.cols; ++d)
            for (index_t k = 0; k < vectors_; ++k) {
                double sum = 0;
                for (index_t i = 0; i < n_; ++i)
                    sum += magnitude(yv(i, d)) * static_cast<double>(weight_[at(i) + at(k) * at(n_)]);
                limits.push_back(sum);
            }
        return limits;
    }

private:
    static double scale(const std::vector<double>& scaling, index_t i) { return scaling.empty() ? 1 : scaling[at(i)]; }

    SolveOptions options(Operation operation) const {
        SolveOptions options;
        options.operation = operation;
        options.place = SolvePlace::host;  // factors that may soon be made anew stay where they are
        options.cancel = cancel_;
        return options;
    }

    /// X, A X and weight := (n_i + 1) eps |A| |X|, with |A X| added in the kept rows.
    void make_residuals() {
        std::vector<T> x(at(n_) * at(vectors_));
        const DenseView<T> xv{x.data(), n_, vectors_, n_};
        std::mt19937_64 random;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const double sign = (random() >> 63) != 0 ? 1 : -1;
            xv(columns_[c], static_cast<index_t>(c % at(vectors_))) =
                T(static_cast<real_t<T>>(sign * scale(state_.system.scaling->column, columns_[c])));
        }
        const SolveOptions solve_options = options(Operation::none);
        FactorSolve<T> inverse(state_, solve_options);
        const LinearSystem<T>& system = state_.system.linear_system(Operation::none);
        complete_null_vectors(system, inverse, xv);
        residual_.assign(x.size(), T(0));
        weight_.resize(x.size());
        const DenseView<T> rv{residual_.data(), n_, vectors_, n_};
        system.residual(xv.as_const(), rv.as_const(), rv, weight_.data());
        add_residuals();
    }

    void add_residuals() {
        constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
        const std::vector<index_t> entries = state_.system.linear_system(Operation::none).applied().entries_of_rows();
        std::vector<char> kept(at(n_), 1);
        for (const index_t i : rows_) kept[at(i)] = 0;
        for (index_t k = 0; k < vectors_; ++k)
            for (index_t i = 0; i < n_; ++i) {
                auto& w = weight_[at(i) + at(k) * at(n_)];
                w = static_cast<real_t<T>>((entries[at(i)] + 1) * eps * static_cast<double>(w) +
                                           (kept[at(i)] != 0 ? left(i, k) : 0));
            }
    }

    const FactorsState<T>& state_;
    index_t n_;
    const std::vector<index_t>& columns_;
    const std::vector<index_t>& rows_;
    index_t vectors_;
    const std::atomic<bool>* cancel_;
    std::vector<T> residual_;
    std::vector<real_t<T>> weight_;
};

}  // namespace frond::detail
