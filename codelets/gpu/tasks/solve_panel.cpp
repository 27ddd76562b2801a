// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"
#include "drain.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/gpu/tile_tasks.hpp"
#include "kernels/panel.hpp"

namespace frond::gpu {
namespace {

/// One solve_panel task: the buffers as frond/codelets/factor_tasks.hpp lists them.
template <class T>
class PanelTask {
public:
    PanelTask(const SolvePanelArguments& a, void** buffers)
        : a_(a), buffers_(buffers), context_(worker_context()), stream_(task_stream()), diagonal_(as_const(tile(0))) {}

    void run() {
        if (a_.kind == Factorization::llt) return solve_right_lower(context_.blas, false, true, diagonal_, tile(1));
        if (a_.kind == Factorization::lu) return a_.upper ? solve_upper() : solve_lower();
        solve_indefinite();
    }

    /// After the stream is drained.
    void limit_kept() const {
        if (a_.limit == nullptr) return;
        const PanelCheck answer = *static_cast<const PanelCheck*>(context_.pinned.at_least(sizeof(PanelCheck)));
        a_.limit->add(answer.first_above, answer.largest());
    }

private:
    DenseView<T> tile(int i) const { return matrix_buffer<T>(buffers_, i); }
    PivotRecord<T> record() const {
        return PivotRecord<T>::at(vector_buffer<unsigned char>(buffers_, 1), diagonal_.rows);
    }

    void solve_lower() {
        if (a_.limit != nullptr) {
            auto saved = tile(3);
            saved.cols = diagonal_.cols;
            copy_block<T>(stream_, tile(2), saved);
        }
        solve_right_upper(context_.blas, diagonal_, tile(2));
        ask_limit(tile(2));
    }

    void solve_upper() {
        const DenseView<T> upper = tile(2);
        const auto bytes = sizeof(T) * static_cast<std::size_t>(upper.rows) * static_cast<std::size_t>(upper.cols);
        const DenseView<T> moved{static_cast<T*>(context_.device.at_least(bytes)), upper.rows, upper.cols, upper.rows};
        gather_rows<T>(stream_, upper, record().perm, moved);
        copy_block<T>(stream_, moved, upper);
        solve_left_unit_lower(context_.blas, diagonal_, upper);
    }

    void solve_indefinite() {
        auto ring = tile(3);
        ring.cols = diagonal_.cols;  // as wide as the widest panel
        const bool hermitian = a_.kind == Factorization::ldlh;
        gather_columns<T>(stream_, tile(2), record().perm, ring);
        solve_right_lower(context_.blas, true, hermitian, diagonal_, ring);
        divide_columns_by_pivots<T>(stream_, hermitian, record().pivots, ring, tile(2));
        ask_limit(tile(2));
    }

    void ask_limit(DenseView<const T> l) {
        if (a_.limit == nullptr) return;
        auto* answer = static_cast<PanelCheck*>(context_.pinned.at_least(sizeof(PanelCheck)));
        auto* on_card = static_cast<PanelCheck*>(context_.device.at_least(sizeof(PanelCheck)));
        *answer = {l.cols, 0};
        check(FROND_GPU(MemcpyAsync)(on_card, answer, sizeof(PanelCheck), FROND_GPU(MemcpyHostToDevice), stream_),
              "sending the limit of a panel");
        check_columns<T>(stream_, l, a_.bound, on_card);
        check(FROND_GPU(MemcpyAsync)(answer, on_card, sizeof(PanelCheck), FROND_GPU(MemcpyDeviceToHost), stream_),
              "fetching the limit of a panel");
    }

    const SolvePanelArguments& a_;
    void** buffers_;
    WorkerContext& context_;
    Stream stream_;
    DenseView<const T> diagonal_;
};

}  // namespace

template <class T>
void solve_panel(void* buffers[], void* raw) noexcept {
    run_task<SolvePanelArguments>(raw, [&](const SolvePanelArguments& a) {
        PanelTask<T> task(a, buffers);
        task.run();
        drain();
        task.limit_kept();
    });
}

#define FROND_INSTANTIATE(T) template void solve_panel<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
