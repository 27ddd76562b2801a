// SPDX-License-Identifier: BSD-3-Clause
#include "submit/matrix_source.hpp"

#include "frond/base/instantiate.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {
namespace {

template <class T>
DenseSource<T> dense_source(const FactorsState<T>& state) {
    const Scaling& scaling = *state.scaling;
    const bool scaled = !scaling.row.empty();
    return {*state.dense, scaled ? scaling.row.data() : nullptr, scaled ? scaling.column.data() : nullptr};
}

/// Where several ranks have A.
template <class T>
std::unique_ptr<DenseLoading<T>> dense_loading(const FactorsState<T>& state) {
    if (state.dense_ranks == nullptr || state.analysis->mapping.grids.empty()) return nullptr;
    return state.dense_ranks->loading(state.analysis->mapping.grids.front(), state.kind(), *state.scaling,
                                      state.share.get());
}

/// The scaled entries of A. They give the largest entry of a sparse A; that of a dense one is there before.
template <class T>
ScaledEntries<T> entries_of(FactorsState<T>& state) {
    ScaledEntries<T> entries;
    if (state.dense) return entries;
    const Analysis& analysis = *state.analysis;
    if (state.sparse_ranks != nullptr) {
        entries.values = HostBlock(static_cast<count_t>(analysis.entry_map.row.size() * sizeof(T)));
        entries.largest = state.sparse_ranks->bring_entries(entries.data());
    } else {
        entries = scale_entries(*state.matrix, analysis, *state.scaling, parallel_for_on(*state.session, "scaling"),
                                state.kept_scaling.get());
    }
    state.largest_entry = entries.largest;
    return entries;
}

}  // namespace

template <class T>
MatrixSource<T>::MatrixSource(FactorsState<T>& state)
    : entries_(entries_of(state)),
      has_dense_(state.dense && state.dense_ranks == nullptr),
      loading_(dense_loading(state)) {
    if (state.dense) dense_ = dense_source(state);
}

template <class T>
void MatrixSource<T>::give_to(FactorizationContext<T>& context) noexcept {
    if (has_dense_) context.dense = &dense_;
    context.loading = loading_.get();
}

#define FROND_INSTANTIATE(T) template class MatrixSource<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
