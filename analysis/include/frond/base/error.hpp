// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "frond/base/types.hpp"

namespace frond {

/// One code a cause; docs/errors.md is generated from the table in analysis/base/error.cpp.
enum class ErrorCode : std::uint8_t {
    invalid_argument,
    invalid_matrix,
    out_of_memory,
    memory_budget_exceeded,
    device_error,
    runtime_error,
    cancelled,
    singular_matrix,
};

/// Base of everything the library throws. what() names the value, the limit and the cure; control characters of what it
/// quotes are '?' in it.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message);
    ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

/// An argument or option outside its range.
class InvalidArgument : public Error {
public:
    explicit InvalidArgument(const std::string& message) : Error(ErrorCode::invalid_argument, message) {}
};

/// A matrix (or its file) that cannot be accepted. file is empty and line 0 for matrices in memory.
class InvalidMatrix : public Error {
public:
    explicit InvalidMatrix(const std::string& message, std::string file = {}, count_t line = 0)
        : Error(ErrorCode::invalid_matrix, message), file_(std::move(file)), line_(line) {}
    const std::string& file() const noexcept { return file_; }
    count_t line() const noexcept { return line_; }

private:
    std::string file_;
    count_t line_;
};

/// The system refused memory that the budget allowed.
class OutOfMemory : public Error {
public:
    explicit OutOfMemory(const std::string& message, count_t requested_bytes = 0)
        : Error(ErrorCode::out_of_memory, message), requested_bytes_(requested_bytes) {}
    count_t requested_bytes() const noexcept { return requested_bytes_; }

private:
    count_t requested_bytes_;
};

/// The work cannot be done within memory_budget_bytes.
class MemoryBudgetExceeded : public Error {
public:
    MemoryBudgetExceeded(const std::string& message, count_t needed_bytes, count_t budget_bytes)
        : Error(ErrorCode::memory_budget_exceeded, message), needed_bytes_(needed_bytes), budget_bytes_(budget_bytes) {}
    count_t needed_bytes() const noexcept { return needed_bytes_; }
    count_t budget_bytes() const noexcept { return budget_bytes_; }

private:
    count_t needed_bytes_;
    count_t budget_bytes_;
};

class DeviceError : public Error {
public:
    explicit DeviceError(const std::string& message) : Error(ErrorCode::device_error, message) {}
};

/// A library below Frond (StarPU, an ordering package, the file system) failed.
class RuntimeError : public Error {
public:
    explicit RuntimeError(const std::string& message) : Error(ErrorCode::runtime_error, message) {}
};

/// The caller's cancellation was honoured.
class Cancelled : public Error {
public:
    explicit Cancelled(const std::string& message) : Error(ErrorCode::cancelled, message) {}
};

/// Null pivots were met and FactorOptions::null_pivots is error.
class SingularMatrix : public Error {
public:
    /// Columns and rows of A, ascending, counted from 0.
    SingularMatrix(std::vector<index_t> columns, std::vector<index_t> rows);
    const std::vector<index_t>& columns() const noexcept { return columns_; }
    const std::vector<index_t>& rows() const noexcept { return rows_; }

private:
    std::vector<index_t> columns_;
    std::vector<index_t> rows_;
};

/// "invalid_matrix" and so on: the name users see in JSON, docs/errors.md and the C interface.
const char* to_string(ErrorCode code) noexcept;

/// What the code means and what helps, one sentence each.
const char* meaning(ErrorCode code) noexcept;
const char* cure(ErrorCode code) noexcept;

namespace detail {

/// What the public functions throw in place of std::bad_alloc. Made beforehand, since its text may find
/// no memory either.
[[noreturn]] void throw_out_of_memory();

}  // namespace detail

}  // namespace frond
