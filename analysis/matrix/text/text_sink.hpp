// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <charconv>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

struct gzFile_s;

namespace frond::detail {

/// Text into a plain file, or a gzip one when the path ends in .gz, a block at a time.
class TextSink {
public:
    /// Throws RuntimeError when the file cannot be made.
    explicit TextSink(std::string path);

    void put(std::string_view text) {
        if (buffer_.size() + text.size() > block_bytes) flush();
        buffer_.append(text);
    }

    void put(count_t number) { put_number(number); }

    /// Shortest decimal that reads back as the same number.
    void put(double number) { put_number(number); }

    void put(float number) { put_number(number); }

    /// Writes what is left and closes. Throws RuntimeError; without close() the file is incomplete.
    void close();

private:
    static constexpr std::size_t block_bytes = std::size_t{1} << 18;

    struct CloseFile {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };

    struct CloseGzip {
        void operator()(gzFile_s* file) const noexcept;
    };

    template<class Number>
    void put_number(Number number) {
        char digits[40];
        const auto result = std::to_chars(digits, digits + sizeof digits, number);
        put(std::string_view(digits, static_cast<std::size_t>(result.ptr - digits)));
    }

    void flush();
    [[noreturn]] void fail(const char* what) const;

    std::string path_;
    std::string buffer_;
    std::unique_ptr<std::FILE, CloseFile> file_;
    std::unique_ptr<gzFile_s, CloseGzip> gzip_;
};

} // namespace frond::detail
