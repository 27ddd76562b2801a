// SPDX-License-Identifier: BSD-3-Clause
#include "driver/new_values.hpp"

#include <atomic>
#include <string>
#include <utility>

#include "factors/callers_values.hpp"
#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/large_vector.hpp"
#include "session/parallel_for.hpp"
#include "session/trace_span.hpp"

namespace frond::detail {
namespace {

template <class T>
std::shared_ptr<SparseMatrix<T>> of_same_pattern(const SparseMatrix<T>& a) {
    auto same = std::make_shared<SparseMatrix<T>>();
    resize_in_huge_pages(same->pattern.row, a.pattern.row.size());
    same->pattern = a.pattern;
    same->symmetry = a.symmetry;
    return same;
}

}  // namespace

template <class T>
void NewValues<T>::set(std::shared_ptr<const ValueList> list, const SparseMatrix<T>& a, const InputReport& input) {
    spare_ = of_same_pattern(a);
    factored_.reset();
    list_ = std::move(list);
    input_ = input;
}

template <class T>
std::shared_ptr<SparseMatrix<T>> NewValues<T>::filled(std::span<const T> values, const Session& session,
                                                      InputReport* report) {
    FROND_EXPECTS(static_cast<count_t>(values.size()) == list_->given(),
                  std::to_string(values.size()) + " values were given, but the arrays that were analysed have " +
                      std::to_string(list_->given()) + " entries; give one value an entry, in their order");
    const HostSpan span("copy values");
    if (spare_ == nullptr || spare_.use_count() > 1) {
        const bool is_free = factored_ != nullptr && factored_.use_count() == 1;
        std::atomic_thread_fence(std::memory_order_acquire);  // after all that the last other owner did
        spare_ = is_free ? std::move(factored_) : of_same_pattern(factored_ != nullptr ? *factored_ : *spare_);
    }
    const CallersValues<T> on_host(*state_of(session), values);
    InputReport found = input_;
    list_->copy(on_host.data(), *spare_, parallel_for_outside_jobs(*state_of(session), "values"),
                report != nullptr ? &found.explicit_zeros : nullptr);
    if (report != nullptr) *report = found;
    return std::move(spare_);
}

template <class T>
void NewValues<T>::keep(std::shared_ptr<SparseMatrix<T>> a, bool factored) noexcept {
    if (!factored) {
        spare_ = std::move(a);
        return;
    }
    spare_ = std::move(factored_);
    factored_ = std::move(a);
}

#define FROND_INSTANTIATE(T) template class NewValues<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
