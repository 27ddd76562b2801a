// SPDX-License-Identifier: BSD-3-Clause
// What the host learns of the pivots of a tree: their values and order, how many there were, and which failed.
#include "factor/device_tree.hpp"

#include <algorithm>
#include <cstddef>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {

template <class T>
template <class Value>
void DeviceTree<T>::fetch(const Value* from, count_t count, Value* to) {
    if (count == 0) return;
    check(FROND_GPU(MemcpyAsync)(to, from, at(count) * sizeof(Value), FROND_GPU(MemcpyDeviceToHost), stream()),
          "fetching the pivots of a tree");
}

template <class T>
void DeviceTree<T>::clear_marks() {
    const auto& marks = tables_.marks();
    if (marks.bytes() == 0) return;
    check(FROND_GPU(MemsetAsync)(marks.data(), 0, marks.bytes(), stream()), "clearing which pivots failed");
}

/// Fetches what the kernels counted of the piece's pivots, and clears it for the next piece. Where there is one piece
/// alone, end() fetches it.
template <class T>
void DeviceTree<T>::end_piece(index_t piece) {
    if (pieces() == 1) return;
    EliminateAnswer* const answer = answer_.data();
    fetch(answer, 1, &answers()[at(piece)]);
    constexpr std::size_t counted = offsetof(EliminateAnswer, failed);
    check(FROND_GPU(MemsetAsync)(reinterpret_cast<unsigned char*>(answer) + counted, 0,
                                 sizeof(EliminateAnswer) - counted, stream()),
          "clearing the counts of a piece");
}

/// Pivots to the host, for the report.
template <class T>
void DeviceTree<T>::end() {
    fetch(answer_.data(), 1, &answers().back());
    fetch(tables_.pivots(), plan_.pivot_scalars(), host_pivots_.data());
    fetch(tables_.perm(), plan_.perm_size(), host_perm_.data());
}

/// True: a pivot failed in a piece that is done.
template <class T>
bool DeviceTree<T>::has_failed() const noexcept {
    return std::any_of(answers().begin(), answers().end(), [](const auto& answer) { return answer.failed != 0; });
}

template <class T>
std::vector<PivotMark> DeviceTree<T>::marks() const {
    const auto& there = tables_.marks();
    std::vector<PivotMark> marks(there.bytes() / sizeof(PivotMark));
    // If no piece had a task, nothing was cleared: all pivots are those of the round before, which were good.
    if (marks.empty() || !has_run_) return marks;
    check(FROND_GPU(MemcpyAsync)(marks.data(), there.data(), there.bytes(), FROND_GPU(MemcpyDeviceToHost), stream()),
          "fetching which pivots failed");
    queue_.drain();
    return marks;
}

#define FROND_INSTANTIATE(T)                                  \
    template void DeviceTree<T>::clear_marks();               \
    template void DeviceTree<T>::end_piece(index_t);          \
    template void DeviceTree<T>::end();                       \
    template bool DeviceTree<T>::has_failed() const noexcept; \
    template std::vector<PivotMark> DeviceTree<T>::marks() const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
