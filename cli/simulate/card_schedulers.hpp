// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond::cli {

/// Refuses schedulers that stand still beside cards; empty: Frond's choice, which serves them.
/// @throws InvalidArgument  with the reason
void expect_scheduler_of_cards(const std::string& scheduler);

}  // namespace frond::cli
