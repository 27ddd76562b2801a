// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/send_values.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/time_models.hpp"
#include "session/parallel_for.hpp"
#include "session/trace_span.hpp"

namespace frond::detail {
namespace {

constexpr count_t copy_chunks = 16;

/// By many threads, and for as many bytes as there are: what the vendor's runtime allocates takes three times as long. A
/// segment of its own has room for a copy of values that the caller has on a device, too.
/// @throws DeviceError
template <class T>
void make_room_for_values(TreeWorkspace<T>& workspace, HostHeap& pinned, count_t count) {
    const count_t bytes = std::max<count_t>(count, 1) * static_cast<count_t>(sizeof(T));
    try {
        workspace.values_memory =
            HostBlock::unready(bytes, pinned, std::min(2 * bytes, HostHeap::smallest_segment_bytes));
        workspace.values_memory.be_ready(HostHeap::all_threads);
    } catch (const OutOfMemory&) {
        workspace.values_memory.release();
        throw DeviceError("no room for " + std::to_string(bytes) + " bytes of pinned memory");
    }
    workspace.values = DataHandle::vector(static_cast<T*>(workspace.values_memory.data()), count);
}

/// Values of the matrix, one run behind the other.
template <class T>
std::vector<std::span<const T>> runs_of_values(const FactorsState<T>& state) {
    if (state.rest_of_tree) return state.rest_of_tree->values;
    return {std::span<const T>(state.system.matrix->value)};
}

/// Values [first, last) of all runs, to[first] and on.
template <class T>
void copy_values(const std::vector<std::span<const T>>& runs, count_t first, count_t last, T* to) {
    count_t begin = 0;
    for (const std::span<const T> run : runs) {
        const count_t end = begin + static_cast<count_t>(run.size());
        const count_t from = std::max(first, begin), until = std::min(last, end);
        if (from < until) std::copy_n(run.data() + (from - begin), until - from, to + from);
        begin = end;
    }
}

}  // namespace

template <class T>
count_t count_values(const FactorsState<T>& state) {
    count_t count = 0;
    for (const std::span<const T> run : runs_of_values(state)) count += static_cast<count_t>(run.size());
    return count;
}

template <class T>
void send_values(const FactorsState<T>& state, TreeWorkspace<T>& workspace) {
    const HostSpan span("send values");
    const std::vector<std::span<const T>> runs = runs_of_values(state);
    const count_t count = count_values(state);
    if (!workspace.values) make_room_for_values(workspace, state.session->pinned_heap(), count);
    T* const values = static_cast<T*>(workspace.values_memory.data());
    if (starpu_data_acquire_on_node(workspace.values.get(), STARPU_MAIN_RAM, STARPU_W) != 0)
        throw RuntimeError("StarPU cannot give the memory of a matrix's values");
    parallel_for_on(*state.session, "values")(copy_chunks, [&](count_t c) {
        if (simulates()) return;
        copy_values<T>(runs, count * c / copy_chunks, count * (c + 1) / copy_chunks, values);
    });
    starpu_data_release_on_node(workspace.values.get(), STARPU_MAIN_RAM);
}

#define FROND_INSTANTIATE(T)                                  \
    template count_t count_values<T>(const FactorsState<T>&); \
    template void send_values<T>(const FactorsState<T>&, TreeWorkspace<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
