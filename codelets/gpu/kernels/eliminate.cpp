// SPDX-License-Identifier: BSD-3-Clause
#include "eliminate.hpp"

#include <limits>

#include "frond/base/instantiate.hpp"
#include "launch.hpp"
#include "step_kernels.hpp"

namespace frond::gpu {

unsigned solve_blocks(Factorization kind, index_t rest) {
    return parts(rest, solve_threads) * (kind == Factorization::lu ? 2U : 1U);
}

template <class T>
unsigned update_blocks(Factorization kind, index_t rest) {
    const unsigned tiles = parts(rest, static_cast<unsigned>(update_tile<DeviceScalar<T>>));
    return kind == Factorization::lu ? tiles * tiles : tiles * (tiles + 1) / 2;
}

template <class T>
void eliminate_step(Stream stream, const SquareFront<T>* fronts, const FrontStep* front_steps,
                    const StepLaunch& launch, const EliminateRule& rule, EliminateAnswer* answer) {
    using S = DeviceScalar<T>;
    using R = DeviceReal<S>;
    const StepArguments<S> a{reinterpret_cast<const SquareFront<S>*>(fronts),
                             front_steps + launch.first,
                             launch.count,
                             rule.kind,
                             static_cast<R>(rule.smallest_pivot),
                             static_cast<R>(rule.bound),
                             answer};
    launch_factor<S>(stream, a);
    if (launch.solve_blocks > 0) launch_solve<S>(stream, a, launch.solve_blocks);
    if (launch.update_blocks > 0) launch_update<S>(stream, a, launch.update_blocks);
}

#define FROND_INSTANTIATE(T)                                                                               \
    template unsigned update_blocks<T>(Factorization, index_t);                                            \
    template void eliminate_step<T>(Stream, const SquareFront<T>*, const FrontStep*, const StepLaunch&,    \
                                    const EliminateRule&, EliminateAnswer*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
