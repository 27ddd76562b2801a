// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/output_file.hpp"
#include "frond/base/types.hpp"

#include <charconv>
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace frond::detail {

/// Text into a plain file, or a gzip one when the path ends in .gz, a block at a time.
/// The file is whole or not there (OutputFile); "-" is standard output.
class TextSink {
public:
    /// Throws RuntimeError when the file cannot be made.
    explicit TextSink(const std::string& path);

    void put(std::string_view text) {
        if (buffer_.size() + text.size() > block_bytes) flush();
        buffer_.append(text);
    }

    void put(count_t number) { put_number(number); }

    /// Shortest decimal that reads back as the same number.
    void put(double number) { put_number(number); }

    void put(float number) { put_number(number); }

    /// Writes what is left and closes. Throws RuntimeError; without close() there is no file.
    void close();

private:
    static constexpr std::size_t block_bytes = std::size_t{1} << 18;

    struct EndDeflate {
        void operator()(z_stream_s* stream) const noexcept;
    };

    template <class Number>
    void put_number(Number number) {
        char digits[40];
        const auto result = std::to_chars(digits, digits + sizeof digits, number);
        put(std::string_view(digits, static_cast<std::size_t>(result.ptr - digits)));
    }

    void flush();
    void compress(bool last);

    OutputFile file_;
    std::string buffer_;
    std::unique_ptr<z_stream_s, EndDeflate> gzip_;
    std::string compressed_;  // room for what gzip_ makes
};

}  // namespace frond::detail
