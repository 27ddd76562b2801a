// SPDX-License-Identifier: BSD-3-Clause
#include "terminal/clock.hpp"

#include <array>
#include <ctime>

namespace frond::cli {

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    std::array<char, 16> text{};
    if (gmtime_r(&now, &parts) == nullptr || std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts) == 0)
        return "";
    return text.data();
}

}  // namespace frond::cli
