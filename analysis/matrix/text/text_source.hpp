// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "decoder.hpp"

namespace frond::detail {

/// Whole lines of a file, a pipe or standard input ("-"), plain or compressed, a block at a time
/// and read once; every block ends with '\n' (one is added at the end of a file that lacks it). A
/// byte order mark of UTF-8 at the beginning is left out.
class TextSource {
public:
    /// Throws InvalidArgument for a folder, RuntimeError when the file cannot be opened,
    /// InvalidMatrix for a compression that this build does not read.
    explicit TextSource(const std::string& path);

    /// The next block of whole lines, empty at the end. Valid until the next call.
    /// Throws InvalidMatrix for a damaged compressed stream, or a line above 1 MiB that is no comment; the end of
    /// such a comment is left out.
    std::string_view next_lines();

    const std::string& path() const { return input_->name(); }

    /// Bytes on disk, compressed or not; 0 when unknown (a pipe).
    count_t file_bytes() const { return input_->file_bytes(); }

    bool compressed() const { return compression_.decoder != nullptr; }

private:
    std::size_t read(char* into, std::size_t bytes);
    void skip_byte_order_mark();
    bool fill(std::size_t kept);
    void cut_comment();
    [[noreturn]] void fail_damaged(const char* end) const;

    std::unique_ptr<RawInput> input_;
    Compression compression_;
    std::vector<char> buffer_;
    count_t lines_ = 0;  // in the blocks before the one in the buffer
    std::size_t line_begin_ = 0;  // of the partial line kept from the last block
    std::size_t filled_ = 0;
    bool begun_ = false;
    bool ended_ = false;
};

/// One line after the other out of a TextSource, with its number.
class LineCursor {
public:
    explicit LineCursor(const std::string& path) : source_(path) {}

    /// The text that the next lines come from, without taking it: at the beginning 1 MiB or all.
    std::string_view peek();

    /// Gives the next line without its end ("\n" or "\r\n"). False at the end of the file.
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
[[noreturn]] void fail_line(const std::string& path, count_t line, const std::string& reason, std::string_view text,
                            const std::string& cure);

}  // namespace frond::detail
