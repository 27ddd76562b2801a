// SPDX-License-Identifier: BSD-3-Clause
// Runs the program frond as a user would.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace frond::test {

struct Outcome {
    int exit_code = -1; // 1000 + signal when a signal ended it
    std::string out, err;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// frond <arguments> with the variables set ("" removes one); standard output and error in files.
Outcome run_frond(const std::vector<std::string>& arguments, const Environment& variables = {});

/// The same on a terminal of 80 columns; out holds all that appears there.
Outcome run_frond_on_terminal(const std::vector<std::string>& arguments,
                              const Environment& variables = {});

} // namespace frond::test
