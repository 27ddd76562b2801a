// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <string>

namespace frond::cli {

/// Text for people or programs on stdout or stderr, on its way when this returns.
/// @throws RuntimeError  it cannot be written: the disk behind the stream is full, nobody listens
void print_text(std::FILE* stream, const std::string& text);

/// Opens standard streams that are closed: the next file to be opened must not become one of
/// them.
void keep_standard_descriptors() noexcept;

}  // namespace frond::cli
