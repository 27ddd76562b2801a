// SPDX-License-Identifier: BSD-3-Clause
#include "solve/null_sizes.hpp"

#include "factors/pivots.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "refinement/rank_beyond_rounding.hpp"
#include "solve/null_residuals.hpp"
#include "solve/null_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace frond::detail {
namespace {

double scale_of(const std::vector<double>& scaling, index_t i) { return scaling.empty() ? 1 : scaling[at(i)]; }

SolveOptions on_host(Operation operation, const std::atomic<bool>* cancel) {
    SolveOptions options;
    options.operation = operation;
    options.place = SolvePlace::host;  // factors that may soon be made anew stay where they are
    options.cancel = cancel;
    return options;
}

template <class T>
class NullColumns {
public:
    NullColumns(const FactorsState<T>& state, index_t most_vectors, const std::atomic<bool>* cancel)
        : state_(state),
          cancel_(cancel),
          columns_(null_columns(state.factors)),
          rows_(null_rows(state.factors)),
          vectors_(std::min<index_t>(most_vectors, static_cast<index_t>(columns_.size()))) {}

    NullSizes sizes() {
        if (columns_.empty() || columns_.size() != rows_.size()) return {};
        make_residuals();
        if (vectors_ < static_cast<index_t>(columns_.size())) return sizes_of_sums();
        const std::vector<RoundedEntry<T>> s = entries(rows_);
        std::vector<T> values;
        std::vector<double> limits;
        for (std::size_t e = 0; e < s.size(); ++e) {
            const double scale = residuals_->row_scale(rows_[e / at(vectors_)]);
            values.push_back(s[e].value * static_cast<real_t<T>>(scale));
            limits.push_back(s[e].limit * scale);
        }
        const RankSizes found = rank_beyond_rounding<T>(vectors_, vectors_, std::move(values), std::move(limits));
        return {vectors_ - found.rank, found.largest_left, found.smallest_pivot};
    }

private:
    void make_residuals() {
        std::vector<T> x(at(state_.analysis->order) * at(vectors_));
        const DenseView<T> xv{x.data(), state_.analysis->order, vectors_, state_.analysis->order};
        std::mt19937_64 random;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const double sign = (random() >> 63) != 0 ? 1 : -1;
            xv(columns_[c], static_cast<index_t>(c % at(vectors_))) =
                T(static_cast<real_t<T>>(sign * scale_of(state_.system.scaling->column, columns_[c])));
        }
        complete(Operation::none, xv);
        std::vector<char> kept(at(xv.rows), 1);
        for (const index_t i : rows_) kept[at(i)] = 0;
        residuals_.emplace(state_, std::move(kept), xv.as_const());
    }

    void complete(Operation operation, DenseView<T> z) const {
        const SolveOptions options = on_host(operation, cancel_);
        FactorSolve<T> inverse(state_, options);
        complete_null_vectors(state_.system.linear_system(operation), inverse, z);
    }

    /// Y^H A X for the null vectors Y of these rows, by rows.
    std::vector<RoundedEntry<T>> entries(const std::vector<index_t>& rows) const {
        if (rows.empty()) return {};
        const index_t n = state_.analysis->order;
        std::vector<T> y(at(n) * rows.size());
        const DenseView<T> yv{y.data(), n, static_cast<index_t>(rows.size()), n};
        for (index_t d = 0; d < yv.cols; ++d) yv(rows[at(d)], d) = T(1);
        complete(Operation::adjoint, yv);
        std::vector<RoundedEntry<T>> s;
        for (index_t d = 0; d < yv.cols; ++d)
            for (index_t k = 0; k < vectors_; ++k)
                s.push_back(residuals_->entry(yv.column(d), residuals_->row_scale(rows[at(d)]), k));
        return s;
    }

    /// S of sums of columns is not there; rows of it that are rounding are.
    NullSizes sizes_of_sums() const {
        const std::vector<index_t> doubtful = doubtful_rows();
        const std::vector<RoundedEntry<T>> s = entries(doubtful);
        NullSizes found;
        std::vector<double> regular(at(vectors_), 0);
        for (std::size_t d = 0; d < doubtful.size(); ++d) {
            bool rounded = true;
            for (index_t k = 0; k < vectors_; ++k) {
                const RoundedEntry<T>& entry = s[d * at(vectors_) + at(k)];
                const double size = residuals_->row_scale(doubtful[d]) * magnitude(entry.value);
                double& largest = entry.is_rounding() ? found.largest_rounding : regular[at(k)];
                largest = std::max(largest, size);
                rounded = rounded && entry.is_rounding();
            }
            found.explained += rounded;
        }
        for (const double size : regular)
            if (size > 0) found.smallest_regular = std::min(found.smallest_regular, size);
        add_rows_of_rounding(found);
        return found;
    }

    void add_rows_of_rounding(NullSizes& found) const {
        for (const index_t i : rows_) {
            bool rounded = true;
            for (index_t k = 0; k < vectors_; ++k) {
                const RoundedEntry<T> entry = residuals_->in_row(i, k);
                rounded = rounded && entry.is_rounding();
                if (entry.is_rounding())
                    found.largest_rounding =
                        std::max(found.largest_rounding, residuals_->row_scale(i) * magnitude(entry.value));
            }
            found.explained += rounded;
        }
    }

    /// Null rows that stand out from their own rounding: for each vector the one that does so most and the one that does
    /// so least.
    std::vector<index_t> doubtful_rows() const {
        std::vector<index_t> rows;
        const auto add = [&rows](index_t i) {
            if (i >= 0 && std::find(rows.begin(), rows.end(), i) == rows.end()) rows.push_back(i);
        };
        for (index_t k = 0; k < vectors_; ++k) {
            index_t most = -1, least = -1;
            double largest = 1, smallest = std::numeric_limits<double>::infinity();
            for (const index_t i : rows_) {
                const RoundedEntry<T> entry = residuals_->in_row(i, k);
                if (entry.is_rounding()) continue;
                const double share = magnitude(entry.value) / entry.limit;
                if (most < 0 || share > largest) most = i, largest = share;
                if (least < 0 || share < smallest) least = i, smallest = share;
            }
            add(most);
            add(least);
        }
        return rows;
    }

    const FactorsState<T>& state_;
    const std::atomic<bool>* cancel_;
    std::vector<index_t> columns_, rows_;
    index_t vectors_;
    std::optional<NullResiduals<T>> residuals_;
};

/// So that the largest unknown of the scaled system is 1.
template <class T>
void normalize(std::vector<T>& x, const std::vector<double>& scaling) {
    Largest largest;
    for (std::size_t i = 0; i < x.size(); ++i)
        largest.see(magnitude(x[i]) / scale_of(scaling, static_cast<index_t>(i)));
    const auto factor = static_cast<real_t<T>>(1 / largest.value());
    for (T& v : x) v *= factor;
}

/// x := op(A)^-1 D^-2 x: a step of the inverse power method on the scaled matrix, D the scales of x.
template <class T>
void power_step(const FactorsState<T>& state, Operation operation, const std::atomic<bool>* cancel, std::vector<T>& x) {
    const Scaling& scaling = *state.system.scaling;
    const bool adjoint = operation == Operation::adjoint;
    const std::vector<double>&from = adjoint ? scaling.column : scaling.row,
          &to = adjoint ? scaling.row : scaling.column;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double scale = scale_of(from, static_cast<index_t>(i));
        x[i] /= static_cast<real_t<T>>(scale);
        x[i] /= static_cast<real_t<T>>(scale);
    }
    const SolveOptions options = on_host(operation, cancel);
    const auto n = static_cast<index_t>(x.size());
    FactorSolve<T>(state, options).apply({x.data(), n, 1, n});
    normalize(x, to);
}

}  // namespace

template <class T>
NullSizes null_sizes(const FactorsState<T>& state, count_t bound_bytes, const std::atomic<bool>* cancel) {
    const auto fits = [&](index_t vectors) { return state.solve_bytes->null_sizes(vectors) <= bound_bytes; };
    index_t vectors = most_null_vectors;
    while (vectors > 1 && !fits(vectors)) vectors /= 2;
    if (!fits(vectors))
        throw MemoryBudgetExceeded("no room for a null vector", state.solve_bytes->null_sizes(1), bound_bytes);
    return NullColumns<T>(state, vectors, cancel).sizes();
}

template <class T>
bool has_hidden_null_vector(const FactorsState<T>& state, const std::atomic<bool>* cancel) {
    const index_t n = state.analysis->order;
    std::vector<T> x(at(n)), y;
    std::mt19937_64 random;
    for (index_t i = 0; i < n; ++i)
        x[at(i)] =
            T(static_cast<real_t<T>>(((random() >> 63) != 0 ? 1 : -1) * scale_of(state.system.scaling->column, i)));
    for (int step = 0; step < 2; ++step) {
        power_step(state, Operation::adjoint, cancel, y = x);
        power_step(state, Operation::none, cancel, x = y);
    }
    power_step(state, Operation::adjoint, cancel, y = x);
    // Rows are compared with their rounding: none of A x is known to be 0.
    const NullResiduals<T> residuals(state, std::vector<char>(at(n), 0), {x.data(), n, 1, n});
    const RoundedEntry<T> rest = residuals.entry(y.data(), 1, 0);
    return std::isfinite(rest.limit) && magnitude(rest.value) <= rest.limit;
}

#define FROND_INSTANTIATE(T)                                                                     \
    template NullSizes null_sizes<T>(const FactorsState<T>&, count_t, const std::atomic<bool>*); \
    template bool has_hidden_null_vector<T>(const FactorsState<T>&, const std::atomic<bool>*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
