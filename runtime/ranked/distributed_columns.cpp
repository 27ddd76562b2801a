// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed_columns.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "ranks/collectively.hpp"

namespace frond::detail {
namespace {

template <class T>
void copy_columns(DenseView<const T> from, std::span<const index_t> columns, DenseView<T> to) {
    for (std::size_t p = 0; p < columns.size(); ++p)
        std::copy_n(from.column(columns[p]), from.rows, to.column(static_cast<index_t>(p)));
}

}  // namespace

template <class T>
DistributedColumns<T>::DistributedColumns(Communicator& ranks, const BlockSystem<T>& system, DenseView<const T> b,
                                          DenseView<T> x, index_t most, Apply apply,
                                          std::function<void(DenseView<T> x)> begin, const std::atomic<bool>* cancel)
    : ranks_(ranks),
      system_(system),
      all_b_(b),
      all_x_(x),
      most_(most),
      apply_(std::move(apply)),
      begin_(std::move(begin)),
      cancel_(cancel) {}

template <class T>
DenseView<T> DistributedColumns<T>::view(LargeVector<T>& packed, std::size_t columns) const {
    const index_t rows = system_.rows();
    return {packed.data(), rows, static_cast<index_t>(columns), std::max<index_t>(rows, 1)};
}

template <class T>
void DistributedColumns<T>::allocate(const std::function<void()>& take) {
    collectively(ranks_, take);
}

template <class T>
void DistributedColumns<T>::take(index_t first, index_t count) {
    b_ = all_b_.block(0, first, all_b_.rows, count);
    x_ = all_x_.block(0, first, all_x_.rows, count);
    const std::size_t size = static_cast<std::size_t>(system_.rows()) * static_cast<std::size_t>(count);
    collectively(ranks_, [&] {
        trial_.resize(size);
        residual_.resize(size);
    });
    begin_(x_);
    for (index_t j = 0; j < count; ++j)
        std::copy_n(x_.column(j), x_.rows, view(trial_, static_cast<std::size_t>(count)).column(j));
}

/// All columns at once are measured where they are.
template <class T>
std::vector<ResidualSizes> DistributedColumns<T>::measure(std::span<const index_t> columns) {
    const auto width = static_cast<std::size_t>(x_.cols);
    const bool are_all = columns.size() == width;
    LargeVector<T> x, b, r;
    collectively(ranks_, [&] {
        if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed))
            throw Cancelled("the solve was cancelled during iterative refinement");
        if (are_all) return;
        const std::size_t size = static_cast<std::size_t>(system_.rows()) * columns.size();
        for (LargeVector<T>* v : {&x, &b, &r}) v->resize(size);
        copy_columns<T>(view(trial_, width), columns, view(x, columns.size()));
        copy_columns<T>(b_, columns, view(b, columns.size()));
    });
    const DenseView<T> residual = view(residual_, width);
    if (are_all) return system_.measure(ranks_, view(trial_, width), b_, residual);
    std::vector<ResidualSizes> sizes =
        system_.measure(ranks_, view(x, columns.size()), view(b, columns.size()), view(r, columns.size()));
    for (std::size_t p = 0; p < columns.size(); ++p)
        std::copy_n(view(r, columns.size()).column(static_cast<index_t>(p)), residual.rows,
                    residual.column(columns[p]));
    return sizes;
}

template <class T>
void DistributedColumns<T>::correct(std::span<const index_t> columns) {
    LargeVector<T> d;
    const auto width = static_cast<std::size_t>(x_.cols);
    collectively(ranks_, [&] {
        d.resize(static_cast<std::size_t>(system_.rows()) * columns.size());
        copy_columns<T>(view(residual_, width), columns, view(d, columns.size()));
    });
    apply_(view(d, columns.size()));
    for (std::size_t p = 0; p < columns.size(); ++p) {
        const T* const best = x_.column(columns[p]);
        const T* const correction = view(d, columns.size()).column(static_cast<index_t>(p));
        T* const trial = view(trial_, width).column(columns[p]);
        for (index_t i = 0; i < x_.rows; ++i) trial[i] = best[i] + correction[i];
    }
}

template <class T>
void DistributedColumns<T>::accept(std::span<const index_t> columns) {
    const DenseView<T> trial = view(trial_, static_cast<std::size_t>(x_.cols));
    for (const index_t j : columns) std::copy_n(trial.column(j), x_.rows, x_.column(j));
}

#define FROND_INSTANTIATE(T) template class DistributedColumns<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
