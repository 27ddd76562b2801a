// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/solver.hpp"

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

namespace frond::cli {

/// True when a person reads `stream`: a terminal that is not dumb.
bool is_terminal(std::FILE* stream);

/// Columns of the terminal behind `stream`; 80 when unknown.
int terminal_columns(std::FILE* stream);

/// Colours of one stream: escape sequences on a terminal, nothing elsewhere or when NO_COLOR is
/// set.
class Style {
public:
    explicit Style(std::FILE* stream);

    std::string heading(std::string_view text) const { return wrapped("1", text); }

    std::string quiet(std::string_view text) const { return wrapped("2", text); }

    std::string good(std::string_view text) const { return wrapped("1;32", text); }

    std::string warning(std::string_view text) const { return wrapped("1;33", text); }

    std::string bad(std::string_view text) const { return wrapped("1;31", text); }

private:
    std::string wrapped(const char* code, std::string_view text) const;
    bool coloured_;
};

/// Text for people or programs on stdout or stderr, on its way when this returns; control characters that are not of
/// Style are '?'.
/// @throws RuntimeError  stdout cannot be written: the disk behind it is full, nobody listens. What stderr does not take
///         is lost, since a run must not fail, nor say so, for want of it
void print_text(std::FILE* stream, const std::string& text);

/// "frond: <text>" on stderr.
void print_warning(const std::string& text);

/// Opens standard streams that are closed: the next file to be opened must not become one of
/// them.
void keep_standard_descriptors() noexcept;

/// Makes the line of a StatusLine or a ProgressBar empty, where stderr is a terminal.
void clear_status_line();

/// "  analysing ..." on stderr while it lives, when that is a terminal.
class StatusLine {
public:
    explicit StatusLine(const std::string& text);
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

private:
    bool drawn_;
};

/// The line of a progress bar, at most `columns` wide: share done, rate, time that remains.
///   factorization [##########..........]  50%  124 Gflop/s  1.70 s left
std::string progress_line(const std::string& label, const Progress& progress, int columns);

/// Draws on stderr when that is a terminal, else does nothing. The line appears after half a second
/// of work and is gone when the bar is.
class ProgressBar {
public:
    explicit ProgressBar(std::string label);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    bool visible_on_this_stream() const noexcept { return on_terminal_; }

    /// One call at a time.
    void update(const Progress& progress);

private:
    using Clock = std::chrono::steady_clock;
    std::string label_;
    bool on_terminal_;
    bool drawn_ = false;
    Clock::time_point next_;
};

}  // namespace frond::cli
