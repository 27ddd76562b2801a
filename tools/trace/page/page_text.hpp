// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/page/page_data.hpp"

#include <string>
#include <string_view>

namespace frond::cli {

/// The files of tools/trace/page/template; the build writes them into the program.
std::string_view page_template() noexcept;  // page.html
std::string_view page_style() noexcept;  // page.css
std::string_view page_script() noexcept;  // all *.js, one behind the other

/// The most bytes of a page; the shortest tasks of larger traces are left out of it.
inline constexpr std::size_t most_page_bytes = 30'000'000;

/// The whole page as text: one HTML document that needs no other file and no network, of at most `most_bytes` where it has
/// tasks; what else it has is bounded (page_data.hpp) and stays.
std::string page_text(const PageTitle& title, const Trace& trace, const TraceFacts& facts, const Analysis* analysis,
                      std::size_t most_bytes = most_page_bytes);

}  // namespace frond::cli
