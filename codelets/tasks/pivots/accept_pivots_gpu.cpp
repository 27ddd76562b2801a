// SPDX-License-Identifier: BSD-3-Clause
// Where every pivot of the panel stays and no column has failed before, which is nearly always, only the pivots
// are counted. Otherwise the panel goes to the host, loses its failed columns there and comes back.
#include "accept_pivots.hpp"

#include <vector>

#include "frond/base/instantiate.hpp"
#include "frond/cpu/threshold.hpp"
#include "worker/copies.hpp"

namespace frond::gpu {
namespace {

template <class T>
class AcceptTask {
public:
    AcceptTask(AcceptPivotsArguments<T>& a, void** buffers)
        : a_(a),
          buffers_(buffers),
          diagonal_(matrix_buffer<T>(buffers, 0)),
          record_on_device_(vector_buffer<unsigned char>(buffers, 1)),
          outcome_(outcome_buffer(a.kind, buffers, 1)),
          failed_(object_buffer<cpu::FailedColumns<T>>(buffers, 2)),
          record_(static_cast<std::size_t>(PivotRecord<T>::bytes(diagonal_.cols))) {}

    void run() {
        fetch(record_.data(), record_on_device_, record_.size(), "fetching a pivot record");
        drain();
        const index_t n = diagonal_.cols;
        const PivotRecord<T> record = PivotRecord<T>::at(record_.data(), n);
        const bool all_kept = failed_.empty() && outcome_.limit.columns.load(std::memory_order_relaxed) == n &&
                              cpu::first_replaced_pivot(n, record.replaced) == n;
        if (!all_kept) return accept_on_host(record);
        outcome_.note_largest();
        outcome_.kept = n;
        if (a_.kind == Factorization::lu)
            count_diagonal();
        else
            cpu::count_pivots<T>(a_.kind, n, {nullptr, n, n, n}, record.pivots, outcome_.counts);
    }

private:
    /// L U: the pivots are the diagonal of the tile, fetched as one row of that step.
    void count_diagonal() {
        const index_t n = diagonal_.cols;
        Mirror<T> pivots(DenseView<T>{diagonal_.data, 1, n, diagonal_.ld + 1});
        drain();
        // Entry (k, k) of a view with leading dimension 0 is entry k.
        cpu::count_pivots<T>(a_.kind, n, {pivots.copy.data(), n, n, 0}, nullptr, outcome_.counts);
    }

    void accept_on_host(PivotRecord<T> record) {
        Mirror<T> diagonal(diagonal_);
        std::vector<Mirror<T>> left, spare, upper;
        cpu::FactoredPanel<T> panel;
        int buffer = 3;
        for (index_t t = a_.panel + 1; t < a_.grid->tiles(); ++t) {
            left.emplace_back(matrix_buffer<T>(buffers_, buffer++));
            auto panel_backup = matrix_buffer<T>(buffers_, buffer++);
            panel_backup.cols = left.back().device.cols;  // the panel backup is as wide as the widest panel
            spare.emplace_back(panel_backup);
            if (a_.kind == Factorization::lu) upper.emplace_back(matrix_buffer<T>(buffers_, buffer++));
        }
        drain();
        describe(panel, diagonal, record);
        for (std::size_t k = 0; k < left.size(); ++k) {
            auto& tile = panel.tiles.emplace_back();
            tile.begin = a_.grid->cut[static_cast<std::size_t>(a_.panel) + 1 + k];
            tile.left = left[k].host();
            tile.spare = spare[k].host();
            if (!upper.empty()) tile.upper = upper[k].host();
        }
        accept_pivots_on_host(a_, panel, failed_, outcome_);
        send(record_on_device_, record_.data(), record_.size(), "sending a pivot record");
        diagonal.send_back();
        for (auto* blocks : {&left, &spare, &upper})
            for (Mirror<T>& block : *blocks) block.send_back();
        drain();
    }

    void describe(cpu::FactoredPanel<T>& panel, Mirror<T>& diagonal, PivotRecord<T> record) const {
        const index_t first = a_.grid->cut[static_cast<std::size_t>(a_.panel)];
        panel.first_column = first;
        panel.first_position = a_.first_position + first;
        panel.diagonal = diagonal.host();
        panel.perm = record.perm;
        panel.pivots = record.pivots;
        panel.replaced = record.replaced;
    }

    AcceptPivotsArguments<T>& a_;
    void** buffers_;
    DenseView<T> diagonal_;
    unsigned char* record_on_device_;
    PivotOutcome& outcome_;  // on the host, as what follows
    cpu::FailedColumns<T>& failed_;
    std::vector<unsigned char> record_;
};

}  // namespace

template <class T>
void accept_pivots(void* buffers[], void* raw) noexcept {
    run_task<AcceptPivotsArguments<T>>(raw, [&](AcceptPivotsArguments<T>& a) {
        const DrainAtExit drained;
        AcceptTask<T>(a, buffers).run();
    });
}

#define FROND_INSTANTIATE(T) template void accept_pivots<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
