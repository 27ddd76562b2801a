// SPDX-License-Identifier: BSD-3-Clause
#include "solve/solve_phases.hpp"

#include <algorithm>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "solve/cut_chunks.hpp"
#include "solve/front_blocks.hpp"

namespace frond::gpu {
namespace {

/// The most steps of a front of level l.
count_t most_steps(const VectorLayout& layout, const SolveSteps& steps, index_t l) {
    count_t most = 0;
    for (count_t n = layout.level_begin[at(l)]; n < layout.level_begin[at(l) + 1]; ++n)
        most = std::max(most, steps.count(layout.fronts[at(n)]));
    return most;
}

template <class T>
class Builder {
    using S = DeviceScalar<T>;
    using Kind = SolvePhase::Kind;

public:
    Builder(const PlacedFactors<T>& factors, const VectorLayout& layout, const SolveSteps& steps,
            const SolveMemory<S>& memory, bool transposed)
        : factors_(factors),
          layout_(layout),
          steps_(steps),
          blocks_(factors, layout, steps, memory),
          lower_behind_(transposed || factors.analysis->factorization != Factorization::lu),
          upper_first_(transposed) {}

    SolvePhases<S> build() {
        for (index_t l = 0; l < layout_.levels(); ++l) upper_first_ ? forward_level_by_upper(l) : forward_level(l);
        if (layout_.outside > 0) add_outside();
        if (has_block_diagonal(factors_.analysis->factorization)) divide();
        out_.backward_begin = out_.phases.size();
        for (index_t l = layout_.levels(); l-- > 0;) backward_level(l);
        return std::move(out_);
    }

private:
    void forward_level(index_t l) {
        add_rows_phase(Kind::gather_forward, l);
        const count_t most = most_steps(layout_, steps_, l);
        for (count_t s = 0; s < most; ++s) {
            for_each_front(l, s, [&](index_t f) { blocks_.forward_diagonal(f, s, out_); });
            close_phase(Kind::multiply);
            for_each_front(l, s, [&](index_t f) { blocks_.forward_below(f, s, out_); });
            close_phase(Kind::multiply);
        }
    }

    /// By U^T.
    void forward_level_by_upper(index_t l) {
        add_rows_phase(Kind::gather_forward, l);
        const count_t most = most_steps(layout_, steps_, l);
        for (count_t s = 0; s < most; ++s) {
            for_each_front(l, s, [&](index_t f) { blocks_.forward_beside(f, s, out_); });
            close_phase(Kind::multiply_transposed);
            for_each_front(l, s, [&](index_t f) { blocks_.forward_diagonal_upper(f, s, out_); });
            close_phase(Kind::multiply_transposed);
        }
        for_each_front(l, 0, [&](index_t f) { blocks_.forward_contribution(f, out_); });
        close_phase(Kind::multiply_transposed);
    }

    /// By L^T, or U.
    void backward_level(index_t l) {
        add_rows_phase(Kind::gather_backward, l);
        const count_t most = most_steps(layout_, steps_, l);
        const Kind kind = lower_behind_ ? Kind::multiply_transposed : Kind::multiply;
        if (!lower_behind_) {
            for_each_front(l, 0, [&](index_t f) { blocks_.backward_contribution(f, out_); });
            close_phase(kind);
        }
        for (count_t s = 0; s < most; ++s) {  // s-th from the last
            const auto last = [&](index_t f) { return steps_.count(f) - 1 - s; };
            if (lower_behind_) {
                for_each_front(l, s, [&](index_t f) { blocks_.backward_transposed(f, last(f), out_); });
                close_phase(kind);
            }
            for_each_front(l, s, [&](index_t f) { blocks_.backward_diagonal(f, last(f), lower_behind_, out_); });
            close_phase(kind);
            if (!lower_behind_) {
                for_each_front(l, s, [&](index_t f) { blocks_.backward_above(f, last(f), out_); });
                close_phase(kind);
            }
        }
    }

    /// What roots leave to the tree that they are branches of.
    void add_outside() {
        const auto begin = static_cast<std::uint32_t>(layout_.rows);
        out_.phases.push_back({Kind::gather_forward, begin, begin + static_cast<std::uint32_t>(layout_.outside), 0});
    }

    void divide() {
        for (index_t f = 0; f < factors_.analysis->tree.front_count(); ++f) blocks_.divide(f, out_);
        if (!out_.runs.empty())
            out_.phases.push_back({Kind::divide, 0, static_cast<std::uint32_t>(out_.runs.size()), 0});
    }

    /// visit(f) for the fronts of level l with more than s steps.
    template <class Visit>
    void for_each_front(index_t l, count_t s, Visit visit) const {
        for (count_t n = layout_.level_begin[at(l)]; n < layout_.level_begin[at(l) + 1]; ++n)
            if (steps_.count(layout_.fronts[at(n)]) > s) visit(layout_.fronts[at(n)]);
    }

    void add_rows_phase(Kind kind, index_t l) {
        out_.phases.push_back({kind, layout_.level_rows[at(l)], layout_.level_rows[at(l) + 1], 0});
    }

    /// The products that no phase has yet become one.
    void close_phase(Kind kind) {
        if (closed_ == out_.products.size()) return;
        SolvePhase phase;
        phase.kind = kind;
        ChunkCutter<S>(out_, closed_, kind == Kind::multiply_transposed).cut(phase);
        ChunkCutter<S>(out_, closed_, kind == Kind::multiply_transposed).cut_tiles(phase);
        closed_ = out_.products.size();
        out_.phases.push_back(phase);
    }

    const PlacedFactors<T>& factors_;
    const VectorLayout& layout_;
    const SolveSteps& steps_;
    FrontBlocks<T> blocks_;
    bool lower_behind_, upper_first_;
    std::size_t closed_ = 0;
    SolvePhases<S> out_;
};

}  // namespace

template <class T>
SolvePhases<DeviceScalar<T>> solve_phases(const PlacedFactors<T>& factors, const VectorLayout& layout,
                                          const SolveSteps& steps, const SolveMemory<DeviceScalar<T>>& memory,
                                          bool transposed) {
    return Builder<T>(factors, layout, steps, memory, transposed).build();
}

count_t count_phases(const Analysis& analysis, const VectorLayout& layout, const SolveSteps& steps) {
    count_t phases = layout.outside > 0 ? 2 : 1;
    for (index_t l = 0; l < layout.levels(); ++l)
        phases += 2 + 4 * most_steps(layout, steps, l) + (analysis.factorization == Factorization::lu ? 1 : 0);
    return phases;
}

#define FROND_INSTANTIATE(T)                                                                                      \
    template SolvePhases<DeviceScalar<T>> solve_phases<T>(const PlacedFactors<T>&, const VectorLayout&,           \
                                                          const SolveSteps&, const SolveMemory<DeviceScalar<T>>&, \
                                                          bool);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
