// SPDX-License-Identifier: BSD-3-Clause
// Runs the program frond as a user would.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace frond::test {

struct Outcome {
    int exit_code = -1;  // 1000 + signal when a signal ended it
    std::string out, err;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// What the program is connected to, where that is not its own file.
struct Streams {
    std::string input;  // through a pipe to standard input; at most 60 kB
    std::string output_file;  // standard output is appended to it, and Outcome::out stays empty
    bool output_closed = false;  // there is no standard output
    bool error_closed = false, error_full = false;  // standard error likewise, or a device that is full
    long largest_file_bytes = 0;  // of a disk that is full from there on (not of devices); 0: none
};

/// frond <arguments> with the variables set ("" removes one); standard output and error in files.
Outcome run_frond(const std::vector<std::string>& arguments, const Environment& variables = {},
                  const Streams& streams = {});

/// The same on a terminal of 80 columns; out holds all that appears there. When it shows the text `interrupt_at`, if one
/// is given, Ctrl-C is pressed, once.
Outcome run_frond_on_terminal(const std::vector<std::string>& arguments, const Environment& variables = {},
                              const std::string& interrupt_at = {});

}  // namespace frond::test
