// SPDX-License-Identifier: BSD-3-Clause
#include "submit/matrix_source.hpp"

#include "factors/other_ranks.hpp"
#include "frond/base/instantiate.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {
namespace {

template <class T>
DenseSource<T> dense_source(const FactorsState<T>& state) {
    const Scaling& scaling = *state.system.scaling;
    const bool scaled = !scaling.row.empty();
    return {*state.system.dense(), scaled ? scaling.row.data() : nullptr, scaled ? scaling.column.data() : nullptr};
}

/// Where several ranks have A.
template <class T>
std::unique_ptr<DenseLoading<T>> dense_loading(const FactorsState<T>& state) {
    if (!state.system.is_dense_of_ranks() || state.analysis->mapping.grids.empty()) return nullptr;
    return dense_of_ranks<T>()->loading(state.analysis->mapping.grids.front(), state.kind(), *state.system.scaling,
                                        state.factors.ownership.share.get());
}

/// The scaled entries of A. They give the largest entry of a sparse A; that of a dense one is there before.
template <class T>
ScaledEntries<T> entries_of(FactorsState<T>& state) {
    ScaledEntries<T> entries;
    if (state.system.dense()) return entries;
    const Analysis& analysis = *state.analysis;
    if (state.system.is_sparse_of_ranks()) {
        entries.values = HostBlock(static_cast<count_t>(analysis.entry_map.row.size() * sizeof(T)));
        entries.largest = rows_of_ranks<T>()->bring_entries(entries.data());
    } else {
        entries = scale_entries(*state.system.matrix, analysis, *state.system.scaling,
                                parallel_for_on(*state.session, "scaling"), state.system.kept_scaling.get());
    }
    state.system.largest_entry = entries.largest;
    return entries;
}

}  // namespace

template <class T>
MatrixSource<T>::MatrixSource(FactorsState<T>& state)
    : entries_(entries_of(state)),
      has_dense_(state.system.dense() && !state.system.is_of_ranks()),
      loading_(dense_loading(state)) {
    if (state.system.dense()) dense_ = dense_source(state);
}

template <class T>
void MatrixSource<T>::give_to(FactorizationContext<T>& context) noexcept {
    if (has_dense_) context.dense = &dense_;
    context.loading = loading_.get();
}

#define FROND_INSTANTIATE(T) template class MatrixSource<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
