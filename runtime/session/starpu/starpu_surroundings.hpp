// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "session/starpu/bus_measurement.hpp"
#include "session/starpu/held_signals.hpp"
#include "frond/base/temporary_folder.hpp"
#include "session/starpu/scoped_environment.hpp"

#include <clocale>

namespace frond::detail {

/// Numbers are written and read with a point while it lives, by this thread alone.
class NumbersInCLocale {
public:
    NumbersInCLocale();
    NumbersInCLocale(const NumbersInCLocale&) = delete;
    NumbersInCLocale& operator=(const NumbersInCLocale&) = delete;
    ~NumbersInCLocale();

private:
    locale_t numbers_;
    locale_t before_;
};

/// What StarPU finds while it starts: a folder of its own for its files, which it cannot do
/// without, numbers with a point, and the wish to be silent, unless STARPU_SILENT says otherwise.
/// What surrounds StarPU while it starts; all is as before afterwards. Not thread-safe: see ScopedEnvironment.
class StarpuSurroundings {
public:
    /// @throws RuntimeError  no folder takes files
    StarpuSurroundings();

    ScopedEnvironment& environment() noexcept { return environment_; }

    /// To be called when StarPU has started: a measurement of cards that it made is kept for the
    /// next time, if it can.
    void keep_measurement() const;

private:
    HeldSignals signals_;  // first: the folder must be gone when they come
    BusMeasurement kept_;  // it asks the environment before that changes
    TemporaryFolder folder_{"frond-", "the files that StarPU writes while it starts"};
    BusMeasurement own_;
    ScopedEnvironment environment_;
    NumbersInCLocale numbers_;
};

}  // namespace frond::detail
