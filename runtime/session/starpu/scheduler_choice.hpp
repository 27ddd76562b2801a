// SPDX-License-Identifier: BSD-3-Clause
// Which of StarPU's schedulers a session takes, and whether it can serve cards.
#pragma once

#include <string>

#include "frond/base/types.hpp"

namespace frond::detail {

/// The scheduler that somebody asked for, and who; an empty name: nobody did.
struct AskedScheduler {
    std::string name;
    std::string source;  // "scheduler", "STARPU_SCHED", "the application's scheduler"
};

/// The option comes before StarPU's environment, of which an empty STARPU_SCHED means lws, as it does to StarPU.
/// environment: null where STARPU_SCHED is not set.
AskedScheduler asked_scheduler(const std::string& option, const char* environment);

/// Why cards are left out with this scheduler, with the cure; empty: it can serve them, or nobody asked for one.
std::string why_no_cards(const AskedScheduler& asked);

/// The one that was asked for, else the one that suits the cards in use.
std::string suitable_scheduler(const AskedScheduler& asked, index_t cards);

}  // namespace frond::detail
