// SPDX-License-Identifier: BSD-3-Clause
#include "factor/tree_launch.hpp"

#include <algorithm>

#include "blas.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::gpu {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

}  // namespace

template <class T>
void TreeLaunch<T>::level(const SubtreePlan::Level& level, const typename StorePlan<T>::Level& to) const {
    assemble(level);
    eliminate(level);
    store(level, to);
}

template <class T>
void TreeLaunch<T>::assemble(const SubtreePlan::Level& level) const {
    const index_t count = level.last - level.first;
    gather_level<T>(stream(), count, level.largest_order, tables_.fronts() + level.first,
                    tables_.sources() + level.first, tables_.entries(), tables_.children(),
                    kind_ != Factorization::lu);
}

template <class T>
void TreeLaunch<T>::eliminate(const SubtreePlan::Level& level) const {
    const StepPlan& steps = tables_.steps();
    for (index_t l = level.first_launch; l < level.last_launch; ++l) {
        const StepLaunch& launch = steps.launches[at(l)];
        eliminate_step<T>(stream(), tables_.fronts(), tables_.front_steps(), launch, kind_, answer_);
        for (index_t p = launch.first_product; p < launch.last_product; ++p) subtract(steps.products[at(p)]);
    }
}

/// Behind a block of columns. Symmetric kinds: by strips, so that little above the diagonal is computed.
template <class T>
void TreeLaunch<T>::subtract(const BlockProduct& p) const {
    const SquareFront<T>& f = tables_.squares()[at(p.front)];
    const auto ld = static_cast<index_t>(f.ld);
    const index_t width = p.last - p.first;
    const index_t strip = kind_ == Factorization::lu ? f.order - p.last : 1024;
    for (index_t j = p.last; j < f.order; j += strip) {
        const index_t i = kind_ == Factorization::lu ? p.last : j, columns = std::min(strip, f.order - j);
        subtract_product<T>(queue_.blas(), {f.data + i + p.first * f.ld, f.order - i, width, ld}, Form::plain,
                            {f.data + p.first + j * f.ld, width, columns, ld},
                            {f.data + i + j * f.ld, f.order - i, columns, ld});
    }
}

template <class T>
void TreeLaunch<T>::store(const SubtreePlan::Level& level, const typename StorePlan<T>::Level& to) const {
    store_blocks<T>(stream(), to.last - to.first, to.most_columns, blocks_ + to.first);
    if (kind_ == Factorization::llt || kind_ == Factorization::lu)
        store_diagonals<T>(stream(), level.last - level.first, tables_.fronts() + level.first);
}

#define FROND_INSTANTIATE(T) template class TreeLaunch<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
