// SPDX-License-Identifier: BSD-3-Clause
// StarPU measures how fast tiles get to cards, in seconds, and keeps what it found in files. It
// ends the process where these cannot be read or written. So Frond gives it copies in a folder of
// its own, of files that it has read itself.
#pragma once

#include <string>

namespace frond::detail {

/// Files HOST.config, HOST.affinity, HOST.latency and HOST.bandwidth.
struct BusMeasurement {
    std::string folder;
    std::string host;

    bool operator==(const BusMeasurement&) const = default;
};

/// Where StarPU keeps the one of this machine: $STARPU_PERF_MODEL_DIR/bus, else
/// .starpu/sampling/bus in the first of $XDG_CACHE_HOME, $STARPU_HOME and $HOME that is set. An
/// empty folder: nowhere.
BusMeasurement kept_measurement();

/// Whether all files are there and whole, with numbers as the C locale writes them and a card at
/// least: without one nothing is measured that is worth keeping.
bool is_whole(const BusMeasurement& measurement);

/// Copies a whole measurement over another, file by file, each of which appears whole or not at
/// all; nothing where both hold the same. false: there was nothing whole to copy, or it could not
/// be written.
bool copy_measurement(const BusMeasurement& from, const BusMeasurement& to);

}  // namespace frond::detail
