// SPDX-License-Identifier: BSD-3-Clause
#include "run_error.hpp"

#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "arguments/output_paths.hpp"
#include "terminal/terminal.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <new>

namespace frond::cli {
namespace {

// The library counts rows and columns from 0, the program as its files do.
std::string singular_message(const SingularMatrix& error) {
    const auto count = static_cast<count_t>(error.columns().size());
    std::string text = "the matrix is singular: " + counted(count, "null pivot");
    if (!error.columns().empty()) text += ", columns " + text_of_indices(error.columns());
    if (!error.rows().empty()) text += ", rows " + text_of_indices(error.rows());
    return text +
           " (counted from 1); correct them, take --null-pivots zero, or lower --null-pivot-tolerance where "
           "so small values are meant";
}

// The cure is added to messages that do not name one.
std::string with_cure(const std::string& message, std::string cure) {
    if (cure.empty() || message.find("; ") != std::string::npos) return message;
    cure[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(cure[0])));
    if (cure.back() == '.') cure.pop_back();
    return message + "; " + cure;
}

RunError error_of(ErrorCode code, const std::string& message) { return {to_string(code), message, exit_code_of(code)}; }

}  // namespace

RunError current_error() {
    try {
        throw;
    } catch (const Cancelled& error) {
        const std::string message = error.what();
        const std::size_t written = std::min(message.find(CancelledLater::begin), message.find(CancelledStudy::begin));
        return error_of(error.code(), written != std::string::npos
                                          ? message.substr(written)
                                          : "interrupted: the work stopped, no result was written");
    } catch (const InvalidArgument& error) {
        return error_of(error.code(), with_cure(error.what(), "frond COMMAND --help lists what is accepted"));
    } catch (const SingularMatrix& error) {
        return error_of(error.code(), singular_message(error));
    } catch (const Error& error) {
        return error_of(error.code(), with_cure(error.what(), cure(error.code())));
    } catch (const std::bad_alloc&) {
        const auto code = ErrorCode::out_of_memory;
        return error_of(code, with_cure("the system refused memory", cure(code)));
    } catch (const std::exception& error) {
        return error_of(ErrorCode::runtime_error, with_cure(error.what(), "please report this with the command line"));
    }
}

void print_error(const RunError& error) {
    print_text(stderr, Style(stderr).bad("frond:") + " " + error.message + "\n");
}

void write_error_json(const CommandLine& line, Json object) noexcept {
    try {
        if (line.json_file.empty() || !has_own_file(line, line.json_file)) return;
        const RunError error = current_error();
        object["error"] = {{"code", error.code}, {"message", error.message}};
        object["exit_code"] = error.exit_code;
        write_json(line.json_file, object);
    } catch (...) {  // said in the comment of the declaration
    }
}

}  // namespace frond::cli
