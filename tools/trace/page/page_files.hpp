// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace frond::cli {

/// The files of tools/trace/page/template; the build writes them into the program.
std::string_view page_template() noexcept;  // page.html
std::string_view page_style() noexcept;  // page.css
std::string_view page_script() noexcept;  // all *.js, one behind the other

}  // namespace frond::cli
