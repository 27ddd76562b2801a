// SPDX-License-Identifier: BSD-3-Clause
#include "eliminate.hpp"

#include "bring_pivot_rows.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"
#include "step_kernels.hpp"

namespace frond::gpu {

unsigned solve_blocks(Factorization kind, index_t order, index_t columns, const FrontStep& step) {
    const unsigned below = parts(order - step.end(), solve_threads);
    const unsigned beside = kind == Factorization::lu ? parts(columns - step.end(), solve_threads) : 0U;
    return below + beside + (kind == Factorization::llt ? 0U : parts(step.column - step.left, step_columns));
}

template <class T>
unsigned update_blocks(Factorization kind, index_t order, index_t all_columns, const FrontStep& step) {
    constexpr auto tile = static_cast<unsigned>(update_tile<DeviceScalar<T>>);
    const unsigned rows = parts(order - step.end(), tile);
    const unsigned columns = parts(step.last_target - step.end(), tile);
    if (kind != Factorization::lu) return columns == 0 ? 0 : columns * rows - columns * (columns - 1) / 2;
    return columns * (rows + parts(all_columns - step.last_target, tile));
}

template <class T>
void eliminate_step(Stream stream, const DenseFront<T>* fronts, const FrontStep* front_steps, const StepLaunch& launch,
                    Factorization kind, EliminateAnswer* answer) {
    using S = DeviceScalar<T>;
    const StepArguments<S> a{reinterpret_cast<const DenseFront<S>*>(fronts), front_steps + launch.first, launch.count,
                             kind, answer};
    if (launch.searched_rows > 0) bring_pivot_rows<T>(stream, fronts, front_steps, launch);
    launch_factor<S>(stream, a);
    if (launch.solve_blocks > 0) launch_solve<S>(stream, a, launch.solve_blocks);
    if (launch.update_blocks > 0) launch_update<S>(stream, a, launch.update_blocks);
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template unsigned update_blocks<T>(Factorization, index_t, index_t, const FrontStep&);                            \
    template void eliminate_step<T>(Stream, const DenseFront<T>*, const FrontStep*, const StepLaunch&, Factorization, \
                                    EliminateAnswer*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
