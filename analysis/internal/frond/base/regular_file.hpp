// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond {

/// text := all of a regular file of at most 16 MiB. Neither waits nor reads without end where a pipe or a device has the
/// name. Returns why there is no text: "it is no regular file"; empty: there is.
std::string why_not_read(const std::string& path, std::string& text);

}  // namespace frond
