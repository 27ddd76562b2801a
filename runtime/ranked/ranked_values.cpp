// SPDX-License-Identifier: BSD-3-Clause
// Collective factorization of values in an order that is known: of factor_values(), and of factor() with the list that was
// analysed.
#include <algorithm>
#include <optional>
#include <utility>

#include "factors/callers_values.hpp"
#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/call_clock.hpp"
#include "ranked/call_names.hpp"
#include "ranked/option_values.hpp"
#include "ranked/ranked_solver.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {
namespace {

/// Empties the values of a matrix that is kept for its pattern.
template <class T>
struct EmptyAtEnd {
    std::vector<T>& values;

    explicit EmptyAtEnd(std::vector<T>& of) : values(of) {}
    EmptyAtEnd(const EmptyAtEnd&) = delete;
    EmptyAtEnd& operator=(const EmptyAtEnd&) = delete;
    ~EmptyAtEnd() { values = {}; }
};

/// Copies values to their positions in a, unless the order of a is that of the list; zeros: how many are 0.
template <class T>
void take_values(const ValueList& list, const T* value, SparseMatrix<T>& a, const ParallelFor& parallel_for,
                 count_t* zeros = nullptr) {
    if (list.is_canonical())
        list.check(value, a, parallel_for, zeros);
    else
        list.copy(value, a, parallel_for, zeros);
}

}  // namespace

/// This rank's values, where all ranks give the lists that they gave when their order became known; else null, on all ranks.
/// A rank without entries has values, too: those of an array without elements.
template <class T>
const T* RankedSolver<T>::known_values(const GivenPart<T>& given) {
    static constexpr T no_entry{};
    if (list_ == nullptr || !is_analysed_) return nullptr;
    KnownValues<T> known;
    try {
        known = given.in_order_of(*list_);
    } catch (...) {  // where it lasts, given.make() meets it, too, and all ranks throw it
    }
    if (known.value == nullptr && known.is_of_list) known.value = &no_entry;
    const bool is_known = known.value != nullptr && plan_->is_declared(known.declared, known.both_triangles) &&
                          known.by_rows == part_by_rows_ && known.rows == part_rows_;
    std::vector<count_t> unknown{is_known ? 0 : 1};
    ranks_->all_reduce_max(unknown);
    return unknown[0] == 0 ? known.value : nullptr;
}

template <class T>
void RankedSolver<T>::factor_known(const GivenPart<T>& given, const T* value, const FactorOptions& options) {
    const EmptyAtEnd<T> only_pattern{part_.value};
    std::vector<count_t> found{part_duplicates_, 0};  // as in InputReport
    collectively(*ranks_, [&] {
        try {
            take_values(*list_, value, part_, parallel_for_outside_jobs(*state_of(session_), "values"), &found[1]);
        } catch (const InvalidMatrix&) {
            static_cast<void>(given.make());  // which names the entry as the list does
            throw;
        }
    });
    ranks_->all_reduce_sum(found);
    state_of(session_)->count_known_list();
    factor_in_order(value, options);
    input_report_ = {found[0], found[1]};
}

template <class T>
void RankedSolver<T>::factor_values(std::span<const T> values, const FactorOptions& options) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("factor_values", factor_values_of(options)));
    const EmptyAtEnd<T> only_pattern{part_.value};
    std::optional<CallersValues<T>> on_host;
    collectively(*ranks_, [&] {
        FROND_EXPECTS(list_ != nullptr,
                      "the order of the values is not known: call analyze(), or factor() once, with the arrays");
        FROND_EXPECTS(static_cast<count_t>(values.size()) == list_->given(),
                      std::to_string(values.size()) + " values were given, but the arrays that were analysed have " +
                          std::to_string(list_->given()) + " entries on this rank; give one value an entry");
        on_host.emplace(*state_of(session_), values);
        take_values(*list_, on_host->data(), part_, parallel_for_outside_jobs(*state_of(session_), "values"));
    });
    factor_in_order(on_host->data(), options);
}

template <class T>
void RankedSolver<T>::factor_in_order(const T* value, const FactorOptions& options) {
    const ParallelFor parallel_for = parallel_for_outside_jobs(*state_of(session_), "values");
    const T* const mine = list_->is_canonical() ? value : part_.value.data();
    Values a{plan_, nullptr};
    a.value = plan_->values(*ranks_, {mine, static_cast<std::size_t>(part_.entries())}, parallel_for, &value_memory_);
    a.are_finite = !is_complex<T> && plan_->each_comes_once();  // magnitudes of complex numbers may not be
    part_.value = {};
    is_distributed_ || (whole_has_order_ && makes_route(a, options)) ? factor_rows(a, options)
                                                                     : factor_whole(a, whole_has_order_, options);
    factored(std::move(a));
}

#define FROND_INSTANTIATE(T)                                                                          \
    template const T* RankedSolver<T>::known_values(const GivenPart<T>&);                             \
    template void RankedSolver<T>::factor_known(const GivenPart<T>&, const T*, const FactorOptions&); \
    template void RankedSolver<T>::factor_values(std::span<const T>, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
