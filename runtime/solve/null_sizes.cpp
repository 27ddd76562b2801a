// SPDX-License-Identifier: BSD-3-Clause
#include "solve/null_sizes.hpp"

#include "factors/pivots.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "refinement/rank_beyond_rounding.hpp"
#include "solve/null_residuals.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace frond::detail {
namespace {

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
        NullSizes found;
        if (columns_.empty() || columns_.size() != rows_.size()) return found;
        residuals_.emplace(state_, columns_, rows_, vectors_, cancel_);
        const std::vector<index_t> doubtful = doubtful_rows();
        const std::vector<double> limits = residuals_->limits_of_rounding(doubtful);
        found.explained = explained(doubtful, limits);
        for (index_t k = 0; k < vectors_; ++k) {
            double regular = 0;
            for (const index_t i : rows_)
                if (!(residuals_->share(i, k) > 1))
                    found.largest_rounding = std::max(found.largest_rounding, residuals_->size(i, k));
            for (std::size_t d = 0; d < doubtful.size(); ++d) {
                const bool is_rounding = !(residuals_->left(doubtful[d], k) > limits[d * at(vectors_) + at(k)]);
                double& largest = is_rounding ? found.largest_rounding : regular;
                largest = std::max(largest, residuals_->size(doubtful[d], k));
            }
            if (regular > 0) found.smallest_regular = std::min(found.smallest_regular, regular);
        }
        return found;
    }

private:
    /// Null columns less the rank of S. S of sums of columns is not there; rows of it that are
    /// rounding are.
    index_t explained(const std::vector<index_t>& doubtful, const std::vector<double>& limits) const {
        const auto count = static_cast<index_t>(columns_.size());
        if (vectors_ < count) return rounded_rows(doubtful, limits);
        const index_t rows = static_cast<index_t>(doubtful.size());
        std::vector<T> entries;
        for (const index_t i : doubtful)
            for (index_t k = 0; k < vectors_; ++k) entries.push_back(residuals_->entry(i, k));
        return count - rank_beyond_rounding<T>(rows, vectors_, std::move(entries), limits);
    }

    index_t rounded_rows(const std::vector<index_t>& doubtful, const std::vector<double>& limits) const {
        auto count = static_cast<index_t>(
            std::count_if(rows_.begin(), rows_.end(), [this](index_t i) { return !residuals_->stands_out(i); }));
        for (std::size_t d = 0; d < doubtful.size(); ++d) {
            bool rounded = true;
            for (index_t k = 0; k < vectors_; ++k)
                rounded = rounded && !(residuals_->left(doubtful[d], k) > limits[d * at(vectors_) + at(k)]);
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
                         [this](index_t i) { return residuals_->stands_out(i); });
            return rows;
        }
        const auto add = [&rows](index_t i) {
            if (i >= 0 && std::find(rows.begin(), rows.end(), i) == rows.end()) rows.push_back(i);
        };
        for (index_t k = 0; k < vectors_; ++k) {
            index_t most = -1, least = -1;
            for (const index_t i : rows_) {
                if (!(residuals_->share(i, k) > 1)) continue;
                if (most < 0 || residuals_->share(i, k) > residuals_->share(most, k)) most = i;
                if (least < 0 || residuals_->share(i, k) < residuals_->share(least, k)) least = i;
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
