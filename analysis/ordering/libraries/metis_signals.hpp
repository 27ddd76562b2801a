// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <thread>

namespace frond {

/// METIS catches SIGTERM and SIGABRT of the whole process while it runs: a SIGTERM from outside
/// makes it return an error, or jump out of a thread that it does not run on. During the life of an
/// object, once METIS has set its handlers, signals from outside do again what the caller's
/// dispositions say, and METIS gets those that it raises itself. At the end the caller's
/// dispositions and mask of signals are back; METIS alone leaves signals blocked and forgets flags.
/// Between METIS' call that sets a handler and the next look of the thread that watches for it, mostly some
/// microseconds, METIS' own handler is there. A SIGTERM that the thread of METIS takes then makes METIS return an
/// error; one that another thread takes then makes that thread jump to a point that METIS never saved, which ends the
/// process by a segmentation fault. METIS offers nothing to close that gap with.
/// One object at a time in the process, around one call, on the thread of the call.
class MetisSignals {
public:
    MetisSignals();
    ~MetisSignals();

    MetisSignals(const MetisSignals&) = delete;
    MetisSignals& operator=(const MetisSignals&) = delete;

    /// METIS raised one itself.
    static bool raised_by_metis();

private:
    std::jthread watcher_;  // METIS sets its handlers when it begins, and calls nobody afterwards
};

}  // namespace frond
