// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace frond::detail {

/// Whole lines of a plain or gzip file, a block at a time; every block ends with '\n' (one is added
/// at the end of a file that lacks it).
class TextSource {
public:
    /// Throws InvalidArgument for a folder, RuntimeError when the file cannot be opened.
    explicit TextSource(std::string path);

    /// The next block of whole lines, empty at the end. Valid until the next call.
    /// Throws InvalidMatrix for a damaged gzip stream or a line above 1 MiB.
    std::string_view next_lines();

    const std::string& path() const { return path_; }

    /// Bytes on disk, compressed ones for gzip; 0 when unknown (a pipe).
    count_t file_bytes() const { return file_bytes_; }

    bool compressed() const;

private:
    struct Close {
        void operator()(gzFile_s* file) const noexcept;
    };

    std::size_t read(char* into, std::size_t bytes);
    [[noreturn]] void fail_damaged(std::string_view reason, const char* end) const;

    std::string path_;
    count_t file_bytes_ = 0;
    std::unique_ptr<gzFile_s, Close> file_;
    std::vector<char> buffer_;
    count_t lines_ = 0;          // in the blocks before the one in the buffer
    std::size_t line_begin_ = 0; // of the partial line kept from the last block
    std::size_t filled_ = 0;
    bool ended_ = false;
};

/// One line after the other out of a TextSource, with its number.
class LineCursor {
public:
    explicit LineCursor(std::string path) : source_(std::move(path)) {}

    /// Without its line end ("\n" or "\r\n"). False at the end of the file.
    bool next(std::string_view& line);

    /// Lines handed out so far = number of the current line, counted from 1.
    count_t line() const { return line_; }

    /// Text not handed out yet of the current block; the lines in it follow line().
    std::string_view rest() const { return rest_; }

    /// Hands out whole blocks from now on; the caller counts the lines.
    std::string_view next_block();

    const TextSource& source() const { return source_; }

    const std::string& path() const { return source_.path(); }

private:
    TextSource source_;
    std::string_view rest_;
    count_t line_ = 0;
};

/// Throws InvalidMatrix "path:line: reason, found 'text'; cure".
[[noreturn]] void fail_line(const std::string& path, count_t line, const std::string& reason,
                            std::string_view text, const std::string& cure);

} // namespace frond::detail
