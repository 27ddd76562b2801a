// SPDX-License-Identifier: BSD-3-Clause
#include "eliminate.hpp"

#include <algorithm>

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "launch.hpp"
#include "step_kernels.hpp"

namespace frond::gpu {

unsigned solve_blocks(Factorization kind, index_t order, const FrontStep& step, bool wide) {
    const unsigned rows_a_block = wide ? static_cast<unsigned>(step_columns) : solve_threads;
    const unsigned behind = parts(order - step.end(), rows_a_block) * (kind == Factorization::lu ? 2U : 1U);
    return behind + (kind == Factorization::llt ? 0U : parts(step.column - step.left, step_columns));
}

template <class T>
unsigned update_blocks(Factorization kind, index_t order, const FrontStep& step) {
    constexpr auto tile = static_cast<unsigned>(update_tile<DeviceScalar<T>>);
    const unsigned rows = parts(order - step.end(), tile);
    const unsigned columns = parts(step.last_target - step.end(), tile);
    if (kind != Factorization::lu) return columns == 0 ? 0 : columns * rows - columns * (columns - 1) / 2;
    return columns * (rows + parts(order - step.last_target, tile));
}

template <class T>
index_t widest_step() {
    using S = DeviceScalar<T>;
    int device = 0, most_bytes = 0;
    check(FROND_GPU(GetDevice)(&device), "asking for the current device");
    check(FROND_GPU(DeviceGetAttribute)(&most_bytes, most_shared_bytes_of_block, device), "asking for shared memory");
    const auto fits = [most_bytes](index_t columns) {
        return std::max(wide_factor_bytes<S>(columns), wide_solve_bytes<S>(columns)) <= static_cast<std::size_t>(most_bytes);
    };
    index_t columns = wide_step_columns;
    while (columns > step_columns && !fits(columns)) columns -= step_columns;
    return columns;
}

template <class T>
void eliminate_step(Stream stream, const SquareFront<T>* fronts, const FrontStep* front_steps,
                    const StepLaunch& launch, Factorization kind, EliminateAnswer* answer) {
    using S = DeviceScalar<T>;
    const StepArguments<S> a{reinterpret_cast<const SquareFront<S>*>(fronts),
                             front_steps + launch.first,
                             launch.count,
                             kind,
                             answer};
    if (launch.wide_columns > 0) {
        launch_wide_factor<S>(stream, a, launch.wide_columns);
        if (launch.solve_blocks > 0) launch_wide_solve<S>(stream, a, launch.solve_blocks, launch.wide_columns);
    } else {
        launch_factor<S>(stream, a);
        if (launch.solve_blocks > 0) launch_solve<S>(stream, a, launch.solve_blocks);
    }
    if (launch.update_blocks > 0) launch_update<S>(stream, a, launch.update_blocks);
}

#define FROND_INSTANTIATE(T)                                                                               \
    template index_t widest_step<T>();                                                                     \
    template unsigned update_blocks<T>(Factorization, index_t, const FrontStep&);                                        \
    template void eliminate_step<T>(Stream, const SquareFront<T>*, const FrontStep*, const StepLaunch&,    \
                                    Factorization, EliminateAnswer*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
