// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/contract.hpp"
#include "frond/option_table.hpp"

#include <string>

namespace frond::c_interface {

/// Options of another object than the one they are given to would be lost without a word.
inline void expect_untouched(const Options& options, bool session_options, const char* cure) {
    const Options defaults;
    for (const OptionInfo& info : option_table()) {
        const bool foreign = (info.phase == OptionPhase::session) == session_options;
        FROND_EXPECTS(!foreign || get_option(options, info.name) == get_option(defaults, info.name),
                      info.name + std::string(" has no effect here: ") + cure);
    }
}

}  // namespace frond::c_interface
