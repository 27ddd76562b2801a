// SPDX-License-Identifier: BSD-3-Clause
// Tests, and the programs that they start, find no tuning of the user's: sessions would have other workers and schedulers
// than those that tests expect.
#include <cstdlib>

namespace {

[[maybe_unused]] const int no_folder = setenv("XDG_CONFIG_HOME", "/proc/no-folder-of-tunings", 1);

}  // namespace
