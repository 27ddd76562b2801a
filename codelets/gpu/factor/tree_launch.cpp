// SPDX-License-Identifier: BSD-3-Clause
#include "factor/tree_launch.hpp"

#include <algorithm>

#include "blas.hpp"
#include "factor/subtract_panel.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {

template <class T>
void TreeLaunch<T>::level(const SubtreePlan::Level& level, const typename StorePlan<T>::Level& to) {
    if (store_queue_ != nullptr) store_queue_->let_wait(stream(), 1);
    for (index_t s = level.first_strip; s < level.first_strip + 2; ++s) assemble_ahead(s, level.last_strip);
    assemble(level);
    eliminate(level, to);
    store(to);
    if (kind_ == Factorization::llt || kind_ == Factorization::lu)
        store_diagonals<T>(stream(), level.last - level.first, tables_.fronts() + level.first);
}

/// The next one is assembled meanwhile, and the one after that where this one was.
template <class T>
void TreeLaunch<T>::strip(const SubtreePlan::Level& level, index_t number,
                          const typename StorePlan<T>::Level& to) const {
    const DenseFront<T>& strip = tables_.strips()[at(number)];
    const DenseFront<T>& panel = tables_.squares()[at(level.first)];
    if (store_queue_ != nullptr)
        store_queue_->let_wait_for_strip(stream(), number);
    else
        assemble_strip(stream(), number, Pace::full);
    const TreePlan<T>& plan = tables_.plan();
    const index_t f = plan.tree.fronts()[at(level.first)];
    const SubtractPanel<T> products(kind_, stream(), queue_.blas(), [&plan, f](index_t first) {
        return plan.tree.end_of_ordered_rows(plan.analysis, f, first);
    });
    products.from(strip, panel);
    store(to);
    assemble_ahead(number + 2, level.last_strip);
}

template <class T>
void TreeLaunch<T>::assemble_strip(Stream stream, index_t number, Pace pace) const {
    const DenseFront<T>& strip = tables_.strips()[at(number)];
    const index_t place = tables_.place_of_strip(number);
    gather_level<T>(stream, 1, strip.columns() - strip.first, tables_.fronts() + place, tables_.sources() + place,
                    tables_.entries(), tables_.children(), kind_ != Factorization::lu, parts_, pace);
}

/// Contribution blocks may be in the host's memory, which takes long.
template <class T>
void TreeLaunch<T>::assemble_ahead(index_t number, index_t last) const {
    if (store_queue_ == nullptr || number >= last) return;
    store_queue_->follow(stream());
    assemble_strip(store_queue_->stream(), number, Pace::slow);
    store_queue_->end_strip(number);
}

template <class T>
void TreeLaunch<T>::wait_for_stores() const {
    if (store_queue_ != nullptr) store_queue_->let_wait(stream(), 0);
}

template <class T>
void TreeLaunch<T>::assemble(const SubtreePlan::Level& level) const {
    gather_level<T>(stream(), level.last - level.first, level.largest_order, tables_.fronts() + level.first,
                    tables_.sources() + level.first, tables_.entries(), tables_.children(), kind_ != Factorization::lu,
                    parts_);
}

/// The products behind a block go on during the steps of the next block, which need but their own columns (and rows).
template <class T>
void TreeLaunch<T>::eliminate(const SubtreePlan::Level& level, const typename StorePlan<T>::Level& to) {
    const StepPlan& steps = tables_.steps();
    const index_t count = level.last - level.first;
    const auto* const fronts = tables_.squares().data() + level.first;
    const bool searches = std::any_of(fronts, fronts + count, [](const auto& f) { return f.row_of != nullptr; });
    if (searches) begin_row_order<T>(stream(), tables_.fronts() + level.first, count);
    share_queues(level);
    for (index_t l = level.first_launch; l < level.last_launch; ++l) {
        const StepLaunch& launch = steps.launches[at(l)];
        wait_for_products(launch);
        eliminate_step<T>(stream(), tables_.fronts(), tables_.front_steps(), launch, kind_, answer_);
        subtract_products(launch);
        store_early(launch, to);
    }
    if (searches) end_row_order<T>(stream(), tables_.fronts() + level.first, count);
    if (product_queues_ != nullptr) product_queues_->join(stream(), {0, ProductQueues::count});
}

/// Few fronts have several queues each, among which their products are cut up; else fronts share queues.
template <class T>
void TreeLaunch<T>::share_queues(const SubtreePlan::Level& level) {
    const StepPlan& steps = tables_.steps();
    share_of_front_.clear();
    for (index_t l = level.first_launch; l < level.last_launch; ++l)
        for (index_t p = steps.launches[at(l)].first_product; p < steps.launches[at(l)].last_product; ++p)
            share_of_front_[steps.products[at(p)].front] = {};
    if (share_of_front_.empty()) return;
    const std::size_t size = std::max<std::size_t>(1, ProductQueues::count / share_of_front_.size());
    std::size_t next = 0;
    for (auto& [front, share] : share_of_front_) {
        share = {next, size};
        next = next + 2 * size > ProductQueues::count ? 0 : next + size;
    }
}

/// A step that ends a block changes all that is behind it, as the product of the block before does.
template <class T>
void TreeLaunch<T>::wait_for_products(const StepLaunch& launch) {
    for (index_t s = launch.first; s < launch.first + launch.count; ++s) {
        const FrontStep& step = tables_.steps().steps[at(s)];
        const auto share = share_of_front_.find(step.front);
        if (share != share_of_front_.end() && step.last_target == tables_.squares()[at(step.front)].columns())
            product_queues_->join(stream(), share->second);
    }
}

template <class T>
void TreeLaunch<T>::subtract_products(const StepLaunch& launch) {
    const BlockProduct* const first = tables_.steps().products.data() + launch.first_product;
    const BlockProduct* const last = tables_.steps().products.data() + launch.last_product;
    for (const BlockProduct* p = first; p < last; ++p) product_queues_->follow(stream(), share_of_front_.at(p->front));
    for (const BlockProduct* p = first; p < last; ++p) subtract_next_block(*p);
    for (const BlockProduct* p = first; p < last; ++p) product_queues_->join(stream(), share_of_front_.at(p->front));
    for (const BlockProduct* p = first; p < last; ++p) subtract_rest(*p);
}

template <class T>
void TreeLaunch<T>::subtract_next_block(const BlockProduct& p) const {
    if (p.next == p.last) return;
    const DenseFront<T>& f = tables_.squares()[at(p.front)];
    const ProductQueues::Share share = share_of_front_.at(p.front);
    const index_t columns = p.next - p.last;
    subtract(p, {p.last, rows_from(f, p.last), p.last, columns}, share.first);
    if (kind_ != Factorization::lu || p.next == f.columns()) return;
    subtract(p, {p.last, columns, p.next, f.columns() - p.next}, share.first + share.size - 1);
}

/// Subtracts by strips, so that symmetric kinds compute little above the diagonal. Strips depend on the front alone:
/// products of another shape may be summed in another order.
template <class T>
void TreeLaunch<T>::subtract_rest(const BlockProduct& p) const {
    const DenseFront<T>& f = tables_.squares()[at(p.front)];
    const ProductQueues::Share share = share_of_front_.at(p.front);
    const bool general = kind_ == Factorization::lu;
    constexpr auto strips = static_cast<index_t>(ProductQueues::count);
    const index_t strip = general ? (f.columns() - p.next + strips - 1) / strips : 1024;
    std::size_t number = 0;
    for (index_t j = p.next; j < f.columns(); j += strip, ++number) {
        const index_t row = general ? p.next : j;
        subtract(p, {row, rows_from(f, row), j, std::min(strip, f.columns() - j)}, share.first + number % share.size);
    }
}

template <class T>
void TreeLaunch<T>::subtract(const BlockProduct& p, const Target& to, std::size_t queue) const {
    const DenseFront<T>& f = tables_.squares()[at(p.front)];
    const auto ld = static_cast<index_t>(f.ld);
    const index_t width = p.last - p.first;
    subtract_product<T>(product_queues_->use(queue), {f.data + to.row + p.first * f.ld, to.rows, width, ld},
                        Form::plain, {f.data + p.first + to.column * f.ld, width, to.columns, ld},
                        {f.data + to.row + to.column * f.ld, to.rows, to.columns, ld});
}

template <class T>
void TreeLaunch<T>::store(const typename StorePlan<T>::Level& to) const {
    if (store_queue_ != nullptr) store_to_host(to);
    store_blocks<T>(stream(), to.first_to_host - to.first, to.most_columns, blocks_ + to.first, parts_);
}

/// What steps have done with is written during those that follow.
template <class T>
void TreeLaunch<T>::store_early(const StepLaunch& launch, const typename StorePlan<T>::Level& to) const {
    if (to.early.empty()) return;
    for (index_t s = launch.first; s < launch.first + launch.count; ++s) {
        const FrontStep& step = tables_.steps().steps[at(s)];
        for (const auto& early : to.early)
            if (early.front == step.front && early.end == step.end()) {
                store_queue_->follow(stream());
                store_blocks_slowly<T>(store_queue_->stream(), early.last - early.first, early.scalars,
                                       blocks_ + early.first, parts_);
            }
    }
}

template <class T>
void TreeLaunch<T>::store_to_host(const typename StorePlan<T>::Level& to) const {
    store_queue_->follow(stream());
    store_blocks_slowly<T>(store_queue_->stream(), to.last - to.first_late, to.late_scalars, blocks_ + to.first_late,
                           parts_);
    store_queue_->end_level();
}

#define FROND_INSTANTIATE(T) template class TreeLaunch<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
