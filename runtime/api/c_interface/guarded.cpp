// SPDX-License-Identifier: BSD-3-Clause
#include "guarded.hpp"

#include <array>

namespace frond::c_interface {
namespace {

// A fixed buffer: the message of an allocation that failed must not need an allocation.
thread_local std::array<char, 2048> message_of_thread{};

}  // namespace

void remember_error(const char* message) noexcept {
    const std::size_t length = std::min(std::strlen(message), message_of_thread.size() - 1);
    std::memcpy(message_of_thread.data(), message, length);
    message_of_thread[length] = '\0';
}

const char* last_error() noexcept { return message_of_thread.data(); }

// FROND_OK is 0, the causes follow in the order of ErrorCode.
frond_status status_of(ErrorCode code) noexcept {
    static_assert(FROND_INVALID_ARGUMENT == static_cast<int>(ErrorCode::invalid_argument) + 1);
    static_assert(FROND_CANCELLED == static_cast<int>(ErrorCode::cancelled) + 1);
    static_assert(FROND_SINGULAR_MATRIX == static_cast<int>(ErrorCode::singular_matrix) + 1);
    return static_cast<frond_status>(static_cast<int>(code) + 1);
}

}  // namespace frond::c_interface

using namespace frond;
using namespace frond::c_interface;

extern "C" {

void frond_init_struct(void* structure, size_t struct_bytes) {
    if (!structure || struct_bytes < sizeof struct_bytes) return;
    std::memset(structure, 0, struct_bytes);
    std::memcpy(structure, &struct_bytes, sizeof struct_bytes);
}

const char* frond_version(void) {
#define FROND_TEXT_OF(x) #x
#define FROND_VERSION_TEXT(major, minor, patch) FROND_TEXT_OF(major) "." FROND_TEXT_OF(minor) "." FROND_TEXT_OF(patch)
    return FROND_VERSION_TEXT(FROND_VERSION_MAJOR, FROND_VERSION_MINOR, FROND_VERSION_PATCH);
#undef FROND_VERSION_TEXT
#undef FROND_TEXT_OF
}

const char* frond_status_name(frond_status status) {
    if (status == FROND_OK) return "ok";
    if (status < FROND_OK || status > FROND_SINGULAR_MATRIX) return "unknown";
    return to_string(static_cast<ErrorCode>(status - 1));
}

const char* frond_last_error(void) { return last_error(); }

}  // extern "C"
