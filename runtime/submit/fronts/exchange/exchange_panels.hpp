// SPDX-License-Identifier: BSD-3-Clause
// Tiles and pivot records of panels, between the ranks of a shared front.
#pragma once

#include "submit/fronts/submit_front.hpp"

namespace frond::detail {

/// Memory for what the panels of a shared front bring here. Its bytes are reserved. @throws std::bad_alloc
template <class T>
void prepare_panels(FactorizationContext<T>& context, FrontRun<T>& run);

/// Posts the messages of a stage of panel k of a shared front, after the tasks that make what is sent and before those that
/// read what comes.
template <class T>
void exchange_panel(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, UnitMessages::Stage stage,
                    int priority);

}  // namespace frond::detail
