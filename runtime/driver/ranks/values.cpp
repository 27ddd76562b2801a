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
#include "driver/rank_driver.hpp"
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
const T* RankDriver<T>::known_values(const GivenMatrix<T>& given) {
    static constexpr T no_entry{};
    if (present_.list == nullptr || !present_.is_analysed) return nullptr;
    KnownValues<T> known;
    try {
        known = given.in_order_of(*present_.list, Extent::part, list_threads());
    } catch (...) {  // where it lasts, given.take() meets it, too, and all ranks throw it
    }
    if (known.value == nullptr && known.is_of_list) known.value = &no_entry;
    const bool is_known = known.value != nullptr && present_.plan->is_declared(known.declared, known.both_triangles) &&
                          known.by_rows == present_.part_by_rows && known.rows == present_.part_rows;
    std::vector<count_t> unknown{is_known ? 0 : 1};
    ranks_->all_reduce_max(unknown);
    return unknown[0] == 0 ? known.value : nullptr;
}

template <class T>
void RankDriver<T>::factor_known(const GivenMatrix<T>& given, const T* value, const FactorOptions& options) {
    const EmptyAtEnd<T> only_pattern{present_.part.value};
    std::vector<count_t> found{present_.part_duplicates, 0};  // as in InputReport
    collectively(*ranks_, [&] {
        try {
            take_values(*present_.list, value, present_.part, parallel_for_outside_jobs(*state_of(session_), "values"),
                        &found[1]);
        } catch (const InvalidMatrix&) {
            static_cast<void>(given.take(Extent::part, list_threads()));  // which names the entry as the list does
            throw;
        }
    });
    ranks_->all_reduce_sum(found);
    state_of(session_)->count_known_list();
    factor_in_order(value, options);
    input_report_ = {found[0], found[1]};
}

template <class T>
void RankDriver<T>::factor_values(std::span<const T> values, const FactorOptions& options) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("factor_values", factor_values_of(options)));
    const EmptyAtEnd<T> only_pattern{present_.part.value};
    std::optional<CallersValues<T>> on_host;
    collectively(*ranks_, [&] {
        FROND_EXPECTS(present_.list != nullptr,
                      "the order of the values is not known: call analyze(), or factor() once, with the arrays");
        FROND_EXPECTS(static_cast<count_t>(values.size()) == present_.list->given(),
                      std::to_string(values.size()) + " values were given, but the arrays that were analysed have " +
                          std::to_string(present_.list->given()) + " entries on this rank; give one value an entry");
        on_host.emplace(*state_of(session_), values);
        take_values(*present_.list, on_host->data(), present_.part,
                    parallel_for_outside_jobs(*state_of(session_), "values"));
    });
    factor_in_order(on_host->data(), options);
}

template <class T>
void RankDriver<T>::factor_in_order(const T* value, const FactorOptions& options) {
    const ParallelFor parallel_for = parallel_for_outside_jobs(*state_of(session_), "values");
    const T* const mine = present_.list->is_canonical() ? value : present_.part.value.data();
    Values a{present_.plan, nullptr};
    a.value = present_.plan->values(*ranks_, {mine, static_cast<std::size_t>(present_.part.entries())}, parallel_for,
                                    &present_.value_memory);
    a.are_finite = !is_complex<T> && present_.plan->each_comes_once();  // magnitudes of complex numbers may not be
    present_.part.value = {};
    present_.is_distributed || (present_.local_has_order && makes_route(a, options))
        ? factor_rows(a, options)
        : factor_whole(a, present_.local_has_order, options);
    factored(std::move(a));
}

#define FROND_INSTANTIATE(T)                                                                          \
    template const T* RankDriver<T>::known_values(const GivenMatrix<T>&);                             \
    template void RankDriver<T>::factor_known(const GivenMatrix<T>&, const T*, const FactorOptions&); \
    template void RankDriver<T>::factor_values(std::span<const T>, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
