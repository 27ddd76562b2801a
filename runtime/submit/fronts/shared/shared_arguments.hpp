// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "submit/fronts/submit_front.hpp"
#include "submit/fronts/task_work.hpp"

namespace frond::detail {

/// The arguments of a task of threshold pivoting on tile (i, j).
template <class Arguments, class T>
Arguments shared_arguments(FactorizationContext<T>& context, FrontRun<T>& run, index_t i, index_t j, index_t k) {
    Arguments a;
    a.kind = run.tiled->kind();
    a.variant = variant_of(a.kind, context.rule);
    a.seconds = &run.seconds;
    a.deferral = run.account.get();
    a.label = label_of(context, run, i, j, k);
    return a;
}

}  // namespace frond::detail
