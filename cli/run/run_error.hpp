// SPDX-License-Identifier: BSD-3-Clause
// An error on its way out of the program: for people on standard error, for programs in the JSON
// object.
#pragma once

#include "arguments/command_line.hpp"
#include "frond/base/error.hpp"
#include "run_json.hpp"

#include <string>

namespace frond::cli {

/// Ctrl-C came when part of what was asked for had been written; the message names it.
class CancelledLater : public Cancelled {
public:
    /// What every such message has: between ranks the exception is a Cancelled with its message.
    static constexpr const char* begin = "interrupted: the solution was written to ";

    explicit CancelledLater(const std::string& where) : Cancelled(begin + where + ", and then the work stopped") {}
};

/// Ctrl-C came in the midst of a study, whose results so far were written.
class CancelledStudy : public Cancelled {
public:
    static constexpr const char* begin = "interrupted: the results have ";

    CancelledStudy(std::size_t done, std::size_t all)
        : Cancelled(begin + std::to_string(done) + " of " + std::to_string(all) + " cases") {}
};

struct RunError {
    std::string code;  // as docs/errors.md names it
    std::string message;  // "<what>: <reason>; <cure>"
    int exit_code = 0;
};

/// The error of the exception that is being handled.
RunError current_error();

/// "frond: <message>" on standard error.
void print_error(const RunError& error);

/// Writes the object with the exception that is being handled as `error`, where --json asks for one
/// and names no file that the run reads or writes elsewhere. What cannot be written is not: the
/// first error is the one to report.
void write_error_json(const CommandLine& line, Json object) noexcept;

/// body(), and when it throws, known() with the error as the JSON object; then the exception goes
/// on.
template <class Body, class Known>
int with_error_json(const CommandLine& line, Body&& body, Known&& known) {
    try {
        return body();
    } catch (...) {
        write_error_json(line, known());
        throw;
    }
}

}  // namespace frond::cli
