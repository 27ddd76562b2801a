// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <array>
#include <cstdio>

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

}  // namespace frond::detail
