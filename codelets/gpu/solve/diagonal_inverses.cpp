// SPDX-License-Identifier: BSD-3-Clause
#include "solve/diagonal_inverses.hpp"

#include <algorithm>

#include "blas.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "kernels/substitution/invert_blocks.hpp"
#include "device_memory.hpp"

namespace frond::gpu {
namespace {

/// A diagonal block of the factors and the place of its inverse.
template <class T>
struct Diagonal {
    DenseView<const T> block;
    DenseView<T> inverse;
    bool upper;
};

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

template <class T>
std::vector<Diagonal<T>> diagonals(const PlacedFactors<T>& factors, const SolveSteps& steps, T* inverses) {
    std::vector<Diagonal<T>> all;
    for (index_t f = 0; f < factors.analysis->tree.front_count(); ++f)
        for (count_t s = 0; s < steps.count(f); ++s) {
            const SolveStep& step = steps.step(f, s);
            const DenseView<const T> block = diagonal_block(factors, f, step, s);
            all.push_back({block, {inverses + step.lower, step.width, step.width, step.width}, false});
            if (step.upper >= 0)
                all.push_back({block, {inverses + step.upper, step.width, step.width, step.width}, true});
        }
    return all;
}

template <class T>
std::vector<TriangleToInvert<DeviceScalar<T>>> triangles(const std::vector<Diagonal<T>>& all, bool unit_lower) {
    using S = DeviceScalar<T>;
    std::vector<TriangleToInvert<S>> jobs;
    for (const Diagonal<T>& d : all)
        for (index_t k = 0; k < d.block.cols; k += inverse_block) {
            const index_t size = std::min(inverse_block, d.block.cols - k);
            jobs.push_back({reinterpret_cast<const S*>(d.block.block(k, k, size, size).data), d.block.ld,
                            reinterpret_cast<S*>(d.inverse.block(k, k, size, size).data), d.inverse.ld, size, d.upper,
                            unit_lower && !d.upper});
        }
    return jobs;
}

/// [T11 0; T21 T22]^-1 has -T22^-1 T21 T11^-1 in its corner, the upper one likewise: diagonal blocks twice as
/// large in every round. scratch holds half a block squared.
template <class T>
void join_inverses(BlasHandle blas, const Diagonal<T>& d, T* scratch) {
    const index_t n = d.block.cols;
    for (index_t half = inverse_block; half < n; half *= 2)
        for (index_t k = 0; k + half < n; k += 2 * half) {
            const index_t rest = std::min(half, n - k - half);
            const auto first = d.inverse.block(k, k, half, half).as_const();
            const auto second = d.inverse.block(k + half, k + half, rest, rest).as_const();
            const index_t row = d.upper ? k : k + half, column = d.upper ? k + half : k;
            const auto corner = d.inverse.block(row, column, d.upper ? half : rest, d.upper ? rest : half);
            const DenseView<T> product_scratch{scratch, corner.rows, corner.cols, corner.rows};
            product<T>(blas, d.block.block(row, column, corner.rows, corner.cols), Form::plain,
                       d.upper ? second : first, product_scratch);
            subtract_product<T>(blas, d.upper ? first : second, Form::plain, product_scratch.as_const(), corner);
        }
}

}  // namespace

template <class T>
void invert_diagonals(Stream stream, BlasHandle blas, unsigned memory_node, const PlacedFactors<T>& factors,
                      const SolveSteps& steps, T* inverses) {
    const auto all = diagonals(factors, steps, inverses);
    const auto jobs = triangles(all, factors.analysis->factorization != Factorization::llt);
    const auto table = on_device(memory_node, stream, jobs);
    check(FROND_GPU(MemsetAsync)(inverses, 0, at(steps.scalars) * sizeof(T), stream), "clearing inverses");
    invert_triangles(stream, table.data(), static_cast<count_t>(jobs.size()));
    index_t widest = 0;
    for (const Diagonal<T>& d : all) widest = std::max(widest, d.block.cols);
    const DeviceMemory<T> scratch(memory_node,
                                  widest > inverse_block ? static_cast<count_t>(widest) * widest / 2 + widest : 0);
    for (const Diagonal<T>& d : all)
        if (d.block.cols > inverse_block) join_inverses(blas, d, scratch.data());
    check(FROND_GPU(StreamSynchronize)(stream), "inverting diagonal blocks");
}

#define FROND_INSTANTIATE(T) \
    template void invert_diagonals<T>(Stream, BlasHandle, unsigned, const PlacedFactors<T>&, const SolveSteps&, T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
