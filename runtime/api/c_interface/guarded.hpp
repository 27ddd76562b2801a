// SPDX-License-Identifier: BSD-3-Clause
// How C++ meets C: exceptions become status codes, structures are copied by their size. Internal.
#pragma once

#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/frond.h"
#include "frond/session.hpp"
#include "frond/solver.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>

namespace frond::c_interface {

/// Keeps the message for frond_last_error of this thread. Never fails; cuts what does not fit.
void remember_error(const char* message) noexcept;
const char* last_error() noexcept;

frond_status status_of(ErrorCode code) noexcept;

/// FROND_OK after action(), or the status of what it threw.
template <class Action>
frond_status guarded(Action&& action) noexcept {
    try {
        action();
        return FROND_OK;
    } catch (const Error& error) {
        remember_error(error.what());
        return status_of(error.code());
    } catch (const std::bad_alloc&) {
        remember_error("the system refused memory for this call; free some and call again");
        return FROND_OUT_OF_MEMORY;
    } catch (const std::exception& error) {
        remember_error(error.what());
        return FROND_RUNTIME_ERROR;
    } catch (...) {
        remember_error("an unknown exception");
        return FROND_RUNTIME_ERROR;
    }
}

template <class Pointer>
void expect_pointer(Pointer* pointer, const char* name) {
    FROND_EXPECTS(pointer != nullptr, std::string(name) + " is NULL; give what frond.h asks for there");
}

/// Copies as much of `from` as the caller's structure holds; its struct_bytes stays.
template <class Struct>
void copy_out(const Struct& from, Struct* to) {
    expect_pointer(to, "the report");
    const std::size_t bytes = to->struct_bytes;
    FROND_EXPECTS(bytes > sizeof bytes,
                  "struct_bytes is " + std::to_string(bytes) + "; set it with FROND_STRUCT before the call");
    std::memcpy(to, &from, std::min(bytes, sizeof from));
    to->struct_bytes = bytes;
}

/// Copies text with its final 0 into a field of fixed size, cutting what does not fit.
template <std::size_t n>
void copy_text(std::string_view from, char (&to)[n]) noexcept {
    const std::size_t length = std::min(from.size(), n - 1);
    std::memcpy(to, from.data(), length);
    to[length] = '\0';
}

/// Whether there is a value, and the value, 0 where there is none.
inline void copy_optional(const std::optional<double>& from, int32_t& has_value, double& value) noexcept {
    has_value = from.has_value();
    value = from.value_or(0);
}

/// struct_bytes is 0.
frond_factor_report factor_report_of(const FactorReport& from);
frond_solve_report solve_report_of(const SolveReport& from);
frond_session_info session_info_of(const SessionInfo& from);

}  // namespace frond::c_interface
