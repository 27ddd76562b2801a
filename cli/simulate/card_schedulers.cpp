// SPDX-License-Identifier: BSD-3-Clause
#include "card_schedulers.hpp"

#include "frond/base/error.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace frond::cli {

void expect_scheduler_of_cards(const std::string& scheduler) {
    constexpr std::array<std::string_view, 3> deques{"lws", "ws", "random"};
    if (std::find(deques.begin(), deques.end(), scheduler) == deques.end()) return;
    throw InvalidArgument("the scheduler " + scheduler +
                          " cannot serve cards: it looks at tasks that its worker cannot run, again and again; take "
                          "dmdas, or --gpus 0 for the cores alone");
}

}  // namespace frond::cli
