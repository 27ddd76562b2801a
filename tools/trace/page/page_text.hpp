// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/page/page_data.hpp"

#include <string>

namespace frond::cli {

/// The most bytes of a page; the shortest tasks of larger traces are left out of it.
inline constexpr std::size_t most_page_bytes = 30'000'000;

/// The whole page as text: one HTML document that needs no other file and no network, of at most `most_bytes` where it has
/// tasks; what else it has is bounded (page_data.hpp) and stays.
std::string page_text(const PageTitle& title, const Trace& trace, const TraceFacts& facts, const Analysis* analysis,
                      std::size_t most_bytes = most_page_bytes);

}  // namespace frond::cli
