// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"

#include <algorithm>
#include <array>

#include "frond/base/contract.hpp"
#include "frond/base/printable.hpp"

namespace frond {
namespace {

struct ErrorText {
    const char* name;
    const char* meaning;
    const char* cure;
};

// In the order of ErrorCode; tests/unit/base and docs/errors.md walk this table.
constexpr std::array<ErrorText, 8> error_texts{{
    {"invalid_argument", "An argument or option is outside its range.", "Correct the value that the message names."},
    {"invalid_matrix", "The matrix or its file cannot be accepted.",
     "Correct the entry or line that the message names."},
    {"out_of_memory", "The system refused memory that the budget allowed.",
     "Free memory or lower memory_budget_bytes."},
    {"memory_budget_exceeded", "The factorization needs more memory than memory_budget_bytes.",
     "Raise memory_budget_bytes to the number that the message names."},
    {"device_error", "A GPU or its library failed.", "See the message; run on the CPU meanwhile."},
    {"runtime_error", "A library below Frond (StarPU, an ordering package, files) failed.",
     "See the message, which quotes the library."},
    {"cancelled", "The caller asked to stop.", "Nothing to mend; call again to start over."},
    {"singular_matrix", "The matrix is singular and null_pivots = error.",
     "Correct the rows that the message names, take null_pivots = zero, or lower null_pivot_tolerance."},
}};

const OutOfMemory& no_memory_for_text() {
    static const OutOfMemory& error =
        *new OutOfMemory("the system refused memory for Frond's own tables; free memory or lower memory_budget_bytes");
    return error;
}

[[maybe_unused]] const OutOfMemory& made_at_start = no_memory_for_text();  // while there is memory for it

const ErrorText& entry_of(ErrorCode code) noexcept { return error_texts[static_cast<std::size_t>(code)]; }

/// "3, 7, 9 ..."
std::string first_of(const std::vector<index_t>& list) {
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t i = 0; i < list.size() && i < shown; ++i) text += (i > 0 ? ", " : "") + std::to_string(list[i]);
    return list.size() > shown ? text + " ..." : text;
}

std::string singular_message(const std::vector<index_t>& columns, const std::vector<index_t>& rows) {
    std::string text = "the matrix is singular: " + std::to_string(columns.size()) +
                       (columns.size() == 1 ? " null pivot" : " null pivots");
    if (!columns.empty()) text += ", columns " + first_of(columns);
    if (!rows.empty()) text += ", rows " + first_of(rows);
    return text +
           " (counted from 0); correct them, take null_pivots = zero, or lower null_pivot_tolerance where "
           "so small values are meant";
}

/// A line that is quoted must not look like one of the message's own.
std::string printable_line(const std::string& message) {
    std::string text = printable(message);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

Error::Error(ErrorCode code, const std::string& message) : std::runtime_error(printable_line(message)), code_(code) {}

SingularMatrix::SingularMatrix(std::vector<index_t> columns, std::vector<index_t> rows)
    : Error(ErrorCode::singular_matrix, singular_message(columns, rows)),
      columns_(std::move(columns)),
      rows_(std::move(rows)) {}

const char* to_string(ErrorCode code) noexcept { return entry_of(code).name; }
const char* meaning(ErrorCode code) noexcept { return entry_of(code).meaning; }
const char* cure(ErrorCode code) noexcept { return entry_of(code).cure; }

namespace detail {

// A message with a cure, after a semicolon, says what is required; to others the condition is added.
void fail_precondition(const char* condition, const std::string& message) {
    // What names no cure gets the condition, for who reads the source.
    const bool names_cure = message.find("; ") != std::string::npos || message.find(": ") != std::string::npos;
    throw InvalidArgument(names_cure ? message : message + " (required: " + condition + ")");
}

void throw_out_of_memory() { throw no_memory_for_text(); }

}  // namespace detail
}  // namespace frond
