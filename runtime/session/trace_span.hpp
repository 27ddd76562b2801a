// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

#include "frond/codelets/starpu_start.hpp"

namespace frond::detail {

/// Where StarPU records a trace: two events in it, "NAME begins" and "NAME ends", at the two ends of this object's life.
class TraceSpan {
public:
    explicit TraceSpan(const char* name) : name_(StarpuStart::is_traced() ? name : nullptr) { tell(" begins"); }
    TraceSpan(const TraceSpan&) = delete;
    TraceSpan& operator=(const TraceSpan&) = delete;
    ~TraceSpan() { tell(" ends"); }

private:
    void tell(const char* what) const noexcept {
        if (name_ == nullptr || starpu_is_initialized() == 0) return;
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "%s%s", name_, what);
        starpu_fxt_trace_user_event_string(text.data());
    }

    const char* name_;
};

/// Where StarPU records a trace: a note in it at end(), or at the end of this object's life, "host NAME us T", that the calling thread
/// did NAME for so many microseconds until then; none where the name is null. For work, loops
/// over chunks included, not for waiting.
class HostSpan {
public:
    explicit HostSpan(const char* name) : name_(StarpuStart::is_traced() ? name : nullptr) {
        if (name_ != nullptr) begin_ = Clock::now();
    }
    HostSpan(const HostSpan&) = delete;
    HostSpan& operator=(const HostSpan&) = delete;
    ~HostSpan() { end(); }

    void end() noexcept {
        const char* const name = std::exchange(name_, nullptr);
        if (name == nullptr || starpu_is_initialized() == 0) return;
        const std::chrono::duration<double, std::micro> elapsed = Clock::now() - begin_;
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "host %s us %.1f", name, elapsed.count());
        starpu_fxt_trace_user_event_string(text.data());
    }

private:
    using Clock = std::chrono::steady_clock;

    const char* name_;
    Clock::time_point begin_;
};

}  // namespace frond::detail
