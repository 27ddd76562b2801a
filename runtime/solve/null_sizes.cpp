// SPDX-License-Identifier: BSD-3-Clause
#include "solve/null_sizes.hpp"

#include "factors/pivots.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "refinement/forward_error.hpp"
#include "refinement/largest_magnitude.hpp"
#include "solve/null_vectors.hpp"
#include "refinement/rank_beyond_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

namespace frond::detail {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

template <class T>
class NullColumns {
public:
    NullColumns(const FactorsState<T>& state, index_t most_vectors, const std::atomic<bool>* cancel)
        : state_(state),
          cancel_(cancel),
          n_(state.analysis->order),
          columns_(null_columns(state)),
          rows_(null_rows(state)),
          vectors_(std::min<index_t>(most_vectors, static_cast<index_t>(columns_.size()))) {}

    NullSizes sizes() {
        NullSizes found;
        if (columns_.empty() || columns_.size() != rows_.size()) return found;
        make_residuals();
        const std::vector<index_t> doubtful = doubtful_rows();
        const std::vector<double> limits = limits_of_rounding(doubtful);
        found.explained = explained(doubtful, limits);
        for (index_t k = 0; k < vectors_; ++k) {
            double regular = 0;
            for (const index_t i : rows_)
                if (!(share(i, k) > 1)) found.largest_rounding = std::max(found.largest_rounding, size(i, k));
            for (std::size_t d = 0; d < doubtful.size(); ++d) {
                const bool is_rounding = !(left(doubtful[d], k) > limits[d * at(vectors_) + at(k)]);
                double& largest = is_rounding ? found.largest_rounding : regular;
                largest = std::max(largest, size(doubtful[d], k));
            }
            if (regular > 0) found.smallest_regular = std::min(found.smallest_regular, regular);
        }
        return found;
    }

private:
    static double scale(const std::vector<double>& scaling, index_t i) { return scaling.empty() ? 1 : scaling[at(i)]; }

    /// |A x| in row i, of a null row the entry of S.
    double left(index_t i, index_t k) const { return magnitude(residual_[at(i) + at(k) * at(n_)]); }

    double size(index_t i, index_t k) const { return scale(state_.scaling->row, i) * left(i, k); }

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
                T(static_cast<real_t<T>>(sign * scale(state_.scaling->column, columns_[c])));
        }
        const SolveOptions solve_options = options(Operation::none);
        FactorSolve<T> inverse(state_, solve_options);
        const LinearSystem<T>& system = state_.system(Operation::none);
        complete_null_vectors(system, inverse, xv);
        residual_.assign(x.size(), T(0));
        weight_.resize(x.size());
        const DenseView<T> rv{residual_.data(), n_, vectors_, n_};
        system.residual(xv.as_const(), rv.as_const(), rv, weight_.data());
        add_residuals();
    }

    void add_residuals() {
        constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
        const std::vector<index_t> entries = state_.entries_of_rows(Operation::none);
        std::vector<char> kept(at(n_), 1);
        for (const index_t i : rows_) kept[at(i)] = 0;
        for (index_t k = 0; k < vectors_; ++k)
            for (index_t i = 0; i < n_; ++i) {
                auto& w = weight_[at(i) + at(k) * at(n_)];
                w = static_cast<real_t<T>>((entries[at(i)] + 1) * eps * static_cast<double>(w) +
                                           (kept[at(i)] != 0 ? left(i, k) : 0));
            }
    }

    /// In units of the rounding of the row itself.
    double share(index_t i, index_t k) const {
        return left(i, k) / static_cast<double>(weight_[at(i) + at(k) * at(n_)]);
    }

    bool stands_out(index_t i) const {
        for (index_t k = 0; k < vectors_; ++k)
            if (share(i, k) > 1) return true;
        return false;
    }

    /// Null columns less the rank of S. Of sums of columns S is not known; rows of it that are
    /// rounding are.
    index_t explained(const std::vector<index_t>& doubtful, const std::vector<double>& limits) const {
        const auto count = static_cast<index_t>(columns_.size());
        if (vectors_ < count) return rounded_rows(doubtful, limits);
        const index_t rows = static_cast<index_t>(doubtful.size());
        std::vector<T> entries;
        for (const index_t i : doubtful)
            for (index_t k = 0; k < vectors_; ++k) entries.push_back(residual_[at(i) + at(k) * at(n_)]);
        return count - rank_beyond_rounding<T>(rows, vectors_, std::move(entries), limits);
    }

    index_t rounded_rows(const std::vector<index_t>& doubtful, const std::vector<double>& limits) const {
        auto count = static_cast<index_t>(
            std::count_if(rows_.begin(), rows_.end(), [this](index_t i) { return !stands_out(i); }));
        for (std::size_t d = 0; d < doubtful.size(); ++d) {
            bool rounded = true;
            for (index_t k = 0; k < vectors_; ++k)
                rounded = rounded && !(left(doubtful[d], k) > limits[d * at(vectors_) + at(k)]);
            count += rounded;
        }
        return count;
    }

    /// Null rows that stand out from their own rounding: all where there is a vector for each null
    /// column, else for each vector the one that does so most and the one that does so least.
    std::vector<index_t> doubtful_rows() const {
        std::vector<index_t> rows;
        if (vectors_ == static_cast<index_t>(columns_.size())) {
            std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(rows),
                         [this](index_t i) { return stands_out(i); });
            return rows;
        }
        const auto add = [&rows](index_t i) {
            if (i >= 0 && std::find(rows.begin(), rows.end(), i) == rows.end()) rows.push_back(i);
        };
        for (index_t k = 0; k < vectors_; ++k) {
            index_t most = -1, least = -1;
            for (const index_t i : rows_) {
                if (!(share(i, k) > 1)) continue;
                if (most < 0 || share(i, k) > share(most, k)) most = i;
                if (least < 0 || share(i, k) < share(least, k)) least = i;
            }
            add(most);
            add(least);
        }
        return rows;
    }

    /// |y|^T weight for each of these rows and each vector.
    std::vector<double> limits_of_rounding(const std::vector<index_t>& rows) {
        if (rows.empty()) return {};
        std::vector<T> y(at(n_) * rows.size());
        const DenseView<T> yv{y.data(), n_, static_cast<index_t>(rows.size()), n_};
        for (index_t d = 0; d < yv.cols; ++d) yv(rows[at(d)], d) = T(1);
        const SolveOptions solve_options = options(Operation::adjoint);
        FactorSolve<T> inverse(state_, solve_options);
        complete_null_vectors(state_.system(Operation::adjoint), inverse, yv);
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

    const FactorsState<T>& state_;
    const std::atomic<bool>* cancel_;
    index_t n_;
    std::vector<index_t> columns_, rows_;
    index_t vectors_;
    std::vector<T> residual_;
    std::vector<real_t<T>> weight_;
};

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

#define FROND_INSTANTIATE(T) \
    template NullSizes null_sizes<T>(const FactorsState<T>&, count_t, const std::atomic<bool>*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
