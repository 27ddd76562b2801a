// SPDX-License-Identifier: BSD-3-Clause
// MPI's C functions, their status checked.
#pragma once

// The C++ bindings of old MPI libraries are not wanted.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <atomic>
#include <string>

#include "frond/base/error.hpp"

namespace frond::mpi {

/// Whether any call of this process has failed, or of one that has told it so.
inline std::atomic<bool>& has_failed() {
    static std::atomic<bool> failed{false};
    return failed;
}

/// With MPI's own text.
inline std::string text_of_failure(int status, const char* function) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(status, text, &length) != MPI_SUCCESS) length = 0;
    return std::string(function) + " failed: " + std::string(text, static_cast<std::size_t>(length));
}

/// For calls of one rank by itself; where others wait, Alarm::check. @throws RuntimeError  the status is not MPI_SUCCESS
inline void check(int status, const char* function) {
    if (status == MPI_SUCCESS) return;
    has_failed() = true;
    throw RuntimeError(text_of_failure(status, function) + "; end all ranks, since they may wait for each other");
}

/// Callers that cannot throw use it: if the status is not MPI_SUCCESS, the process keeps that a call has failed.
inline bool succeeded(int status) noexcept {
    if (status == MPI_SUCCESS) return true;
    has_failed() = true;
    return false;
}

/// The name of a thread level below MPI_THREAD_MULTIPLE.
inline const char* name_of_level(int level) {
    switch (level) {
        case MPI_THREAD_SINGLE:
            return "MPI_THREAD_SINGLE";
        case MPI_THREAD_FUNNELED:
            return "MPI_THREAD_FUNNELED";
        case MPI_THREAD_SERIALIZED:
            return "MPI_THREAD_SERIALIZED";
        default:
            return "an unknown thread level";
    }
}

/// MPI must be called between its start and its end only.
inline bool is_running() noexcept {
    int started = 0, ended = 0;
    return MPI_Initialized(&started) == MPI_SUCCESS && MPI_Finalized(&ended) == MPI_SUCCESS && started != 0 &&
           ended == 0;
}

inline void expect_running() {
    if (!is_running())
        throw RuntimeError(
            "MPI is not running: call MPI_Init_thread with MPI_THREAD_MULTIPLE before a session is made, and "
            "MPI_Finalize after the last Session and Solver are gone");
}

}  // namespace frond::mpi
