// SPDX-License-Identifier: BSD-3-Clause
#include "solve/diagonal_inverses.hpp"

#include <algorithm>

#include "blas.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

template <class T>
DenseView<const T> diagonal_block(const PlacedFactors<T>& factors, index_t f, const SolveStep& step, count_t number) {
    const FrontFactorViews<T>& p = factors.fronts[at(f)];
    if (p.part == nullptr) {
        const auto& tile = p.tiles[at(number) * at(p.grid->tiles() + 1)];
        return {tile.data, step.width, step.width, static_cast<index_t>(tile.ld)};
    }
    const index_t ld = factors.analysis->tree.fronts[at(f)].nfront;
    const FrontPanels panels = front_panels(factors.analysis->tree.fronts[at(f)], factors.analysis->factorization);
    return {p.part + panels.panel + static_cast<count_t>(step.first) * (1 + static_cast<count_t>(ld)), step.width,
            step.width, ld};
}

}  // namespace

template <class T>
void DiagonalInverses<T>::add_diagonal(const DenseView<const T>& block, const SolveStep& step, bool unit_lower,
                                       std::vector<TriangleToInvert<DeviceScalar<T>>>& triangles) {
    using S = DeviceScalar<T>;
    const auto add = [&](count_t place, bool upper) {
        const Diagonal d{block, {inverses_.data() + place, step.width, step.width, step.width}, upper};
        for (index_t k = 0; k < step.width; k += inverse_block) {
            const index_t size = std::min(inverse_block, step.width - k);
            triangles.push_back({reinterpret_cast<const S*>(block.block(k, k, size, size).data), block.ld,
                                 reinterpret_cast<S*>(d.inverse.block(k, k, size, size).data), d.inverse.ld, size,
                                 upper, unit_lower && !upper});
        }
        if (step.width > inverse_block) wide_.push_back(d);
    };
    add(step.lower, false);
    if (step.upper >= 0) add(step.upper, true);
}

template <class T>
void DiagonalInverses<T>::list(const Queue& queue, const PlacedFactors<T>& factors, const SolveSteps& steps) {
    const bool unit_lower = factors.analysis->factorization != Factorization::llt;
    std::vector<TriangleToInvert<DeviceScalar<T>>> triangles;
    recorded_.reset();
    wide_.clear();
    for (index_t f = 0; f < factors.analysis->tree.front_count(); ++f)
        for (count_t s = 0; s < steps.count(f); ++s) {
            const SolveStep& step = steps.step(f, s);
            add_diagonal(diagonal_block(factors, f, step, s), step, unit_lower, triangles);
        }
    triangle_count_ = static_cast<count_t>(triangles.size());
    send_table(node_, queue.stream(), triangles, triangles_);
    count_t widest = 0;
    for (const Diagonal& d : wide_) widest = std::max<count_t>(widest, d.block.cols);
    const count_t scratch = widest * widest / 2 + widest;
    if (scratch_.bytes() != at(scratch) * sizeof(T)) scratch_ = {node_, scratch};
}

/// [T11 0; T21 T22]^-1 has -T22^-1 T21 T11^-1 in its corner, the upper one likewise: diagonal blocks twice as
/// large in every round.
template <class T>
void DiagonalInverses<T>::join(const Queue& queue, const Diagonal& d) const {
    const index_t n = d.block.cols;
    for (index_t half = inverse_block; half < n; half *= 2)
        for (index_t k = 0; k + half < n; k += 2 * half) {
            const index_t rest = std::min(half, n - k - half);
            const auto first = d.inverse.block(k, k, half, half).as_const();
            const auto second = d.inverse.block(k + half, k + half, rest, rest).as_const();
            const index_t row = d.upper ? k : k + half, column = d.upper ? k + half : k;
            const auto corner = d.inverse.block(row, column, d.upper ? half : rest, d.upper ? rest : half);
            const DenseView<T> half_product{scratch_.data(), corner.rows, corner.cols, corner.rows};
            product<T>(queue.blas(), d.block.block(row, column, corner.rows, corner.cols), Form::plain,
                       d.upper ? second : first, half_product);
            subtract_product<T>(queue.blas(), d.upper ? first : second, Form::plain, half_product.as_const(), corner);
        }
}

template <class T>
void DiagonalInverses<T>::launch(const Queue& queue) const {
    check(FROND_GPU(MemsetAsync)(inverses_.data(), 0, inverses_.bytes(), queue.stream()), "clearing inverses");
    invert_triangles(queue.stream(), triangles_.data(), triangle_count_);
    for (const Diagonal& d : wide_) join(queue, d);
}

template <class T>
void DiagonalInverses<T>::compute(const Queue& queue, const PlacedFactors<T>& factors, const SolveSteps& steps,
                                  bool have_moved) {
    if (have_moved) list(queue, factors, steps);
    if (!have_moved && recorded_ == nullptr)
        recorded_ = std::make_unique<Graph>(queue.stream(), [&] { launch(queue); });
    recorded_ != nullptr ? recorded_->launch(queue.stream()) : launch(queue);
    queue.drain();
}

#define FROND_INSTANTIATE(T) template class DiagonalInverses<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
