// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace frond {

/// The descriptor that a path names: 1 for "-" and /dev/stdout, 2 for /dev/stderr, N for /dev/fd/N and
/// /proc/P/fd/N where P is self, thread-self or the number of this process; -1 for every other path.
int descriptor_of_output(const std::string& path) noexcept;

/// Bytes for a file that is whole or not there. They go to a new file next to it, which takes its
/// name at the end: whoever stops before, an error or a crash, leaves what was there before.
/// Written in place are what `path` names by a descriptor (never opened anew, which would cut the
/// file behind it), what is no regular file (a device, a pipe), and a file in a folder where no
/// other can be made; the last is emptied when writing fails.
/// A file that is written as a whole. Not thread-safe. Every member throws RuntimeError that names path, reason and
/// cure.
class OutputFile {
public:
    explicit OutputFile(const std::string& path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// If finish() was not called, removes the new file, or empties the one in place.
    ~OutputFile();

    void write(const void* data, std::size_t bytes);

    /// Brings all to the disk, then gives the file its name. Nothing may be written afterwards.
    void finish();

private:
    void open(const std::string& path);
    void open_beside(unsigned mode);
    void open_in_place(int flags);
    void discard() noexcept;
    [[noreturn]] void fail(const char* what);

    std::string name_;  // in messages
    std::string target_;  // the file, symbolic links followed
    std::string beside_;  // empty: in place
    int descriptor_ = -1;
    bool emptied_on_failure_ = false;
};

}  // namespace frond
