// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/host_columns.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/loop_purpose.hpp"
#include "frond/base/vector_index.hpp"
#include "system/backward_error.hpp"

#include <algorithm>
#include <new>
#include <numeric>

namespace frond {

template <class T>
HostColumns<T>::HostColumns(const LinearSystem<T>& system, DenseView<const T> b, const ApplyBlock<T>& inverse,
                            DenseView<T> x, index_t most)
    : system_(system), all_b_(b), inverse_(inverse), all_x_(x), n_(system.rows()), most_(std::min(most, x.cols)) {
    FROND_EXPECTS(b.cols == x.cols && b.rows == system.rows() && x.rows == system.rows(),
                  "B and X must both be [rows, nrhs]");
    while (!try_allocate()) most_ = (most_ + 1) / 2;
}

/// False: fewer columns may fit.
template <class T>
bool HostColumns<T>::try_allocate() {
    try {
        together([this] {
            trial_ = block<T>();
            residual_ = block<T>();
            weight_ = block<real_t<T>>();
            packed_.reserve(at(most_));
        });
        return true;
    } catch (const std::bad_alloc&) {
        if (most_ <= 1) throw;
    } catch (const OutOfMemory&) {  // as several processes throw it
        if (most_ <= 1) throw;
    }
    for (auto* const memory : {&trial_, &residual_}) memory->reset();
    return false;
}

template <class T>
template <class U>
std::unique_ptr<U[]> HostColumns<T>::block() const {
    return std::make_unique_for_overwrite<U[]>(at(n_) * at(most_));
}

template <class T>
DenseView<T> HostColumns<T>::packed(const std::unique_ptr<T[]>& block) const {
    const auto n = static_cast<index_t>(n_);
    return {block.get(), n, static_cast<index_t>(packed_.size()), std::max(n, 1)};
}

template <class T>
void HostColumns<T>::take(index_t first, index_t count) {
    b_ = all_b_.block(0, first, all_b_.rows, count);
    x_ = all_x_.block(0, first, all_x_.rows, count);
    packed_.resize(at(count));
    std::iota(packed_.begin(), packed_.end(), 0);
    trial_is_x_ = true;
}

template <class T>
std::vector<ResidualSizes> HostColumns<T>::measure(std::span<const index_t> columns) {
    FROND_EXPECTS(std::equal(columns.begin(), columns.end(), packed_.begin(), packed_.end()),
                  "other columns than those with trial solutions");
    if (!trial_is_x_) return measure_packed();
    const DenseView<T> r = packed(residual_);
    system_.residual(x_, b_, r, weight_.get());
    return residual_sizes<T>(system_, x_, b_, r, weight_.get());
}

/// The columns of B are packed into the residuals unless all are there.
template <class T>
std::vector<ResidualSizes> HostColumns<T>::measure_packed() {
    const DenseView<T> x = packed(trial_), r = packed(residual_);
    const bool all = r.cols == b_.cols;
    for (index_t p = 0; p < r.cols && !all; ++p) copy(b_.column(packed_[at(p)]), r.column(p));
    system_.residual(x, all ? b_ : r, r, weight_.get());
    return residual_sizes<T>(system_, x, b_, r, weight_.get(), packed_);
}

template <class T>
void HostColumns<T>::correct(std::span<const index_t> columns) {
    pack(columns);
    inverse_(packed(residual_));
    add_corrections();
}

/// Residuals of these to the left; those of the other columns go.
template <class T>
void HostColumns<T>::pack(std::span<const index_t> columns) {
    std::size_t kept = 0;
    for (std::size_t p = 0; p < packed_.size() && kept < columns.size(); ++p) {
        if (packed_[p] != columns[kept]) continue;
        if (kept != p)
            copy(residual_.get() + static_cast<count_t>(p) * n_, residual_.get() + static_cast<count_t>(kept) * n_);
        packed_[kept++] = packed_[p];
    }
    FROND_EXPECTS(kept == columns.size(), "columns that were not measured last");
    packed_.resize(kept);
}

/// trial := x + M^-1 r
template <class T>
void HostColumns<T>::add_corrections() {
    const DenseView<T> trial = packed(trial_), correction = packed(residual_);
    const LoopPurpose purpose("correction");
    together([&] {
        for_row_chunks(system_.parallel_for(), n_, trial.cols, [&](count_t p, count_t begin, count_t end, count_t) {
            const auto place = static_cast<index_t>(p);
            const T *const x = x_.column(packed_[at(p)]), *const d = correction.column(place);
            T* const t = trial.column(place);
            for (count_t i = begin; i < end; ++i) t[i] = x[i] + d[i];
        });
    });
    trial_is_x_ = false;
}

template <class T>
void HostColumns<T>::accept(std::span<const index_t> columns) noexcept {
    if (trial_is_x_) return;
    for (std::size_t p = 0; p < packed_.size(); ++p)
        if (std::binary_search(columns.begin(), columns.end(), packed_[p]))
            copy(trial_.get() + static_cast<count_t>(p) * n_, x_.column(packed_[p]));
}

template <class T>
RefinementReport refine(const LinearSystem<T>& system, DenseView<const T> b, const ApplyBlock<T>& inverse,
                        DenseView<T> x, RefinementOptions options) {
    FROND_EXPECTS(options.block_columns > 0, "block_columns must be positive");
    options.target = refinement_target<T>(options.target);
    HostColumns<T> columns(system, b, inverse, x, options.block_columns);
    return refine(columns, options);
}

#define FROND_INSTANTIATE(T)                                                                              \
    template class HostColumns<T>;                                                                        \
    template RefinementReport refine<T>(const LinearSystem<T>&, DenseView<const T>, const ApplyBlock<T>&, \
                                        DenseView<T>, RefinementOptions);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
