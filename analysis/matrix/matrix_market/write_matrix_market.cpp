// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/output_file.hpp"
#include "frond/base/types.hpp"
#include "frond/matrix/matrix_market.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <zlib.h>

struct z_stream_s;

namespace frond::detail {
namespace {

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

void TextSink::EndDeflate::operator()(z_stream_s* stream) const noexcept {
    deflateEnd(stream);
    delete stream;
}

TextSink::TextSink(const std::string& path) : file_(path) {
    buffer_.reserve(block_bytes);
    if (!path.ends_with(".gz")) return;
    constexpr int largest_window = 15, with_gzip_header = 16, usual_memory = 8;
    gzip_.reset(new z_stream_s());
    if (deflateInit2(gzip_.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, largest_window + with_gzip_header, usual_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    compressed_.resize(block_bytes);
}

void TextSink::compress(bool last) {
    gzip_->next_in = reinterpret_cast<unsigned char*>(buffer_.data());
    gzip_->avail_in = static_cast<unsigned>(buffer_.size());
    do {
        gzip_->next_out = reinterpret_cast<unsigned char*>(compressed_.data());
        gzip_->avail_out = static_cast<unsigned>(compressed_.size());
        deflate(gzip_.get(), last ? Z_FINISH : Z_NO_FLUSH);  // its only failure is an invalid stream
        file_.write(compressed_.data(), compressed_.size() - gzip_->avail_out);
    } while (gzip_->avail_out == 0);
}

void TextSink::flush() {
    if (gzip_)
        compress(false);
    else
        file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
}

void TextSink::close() {
    if (gzip_)
        compress(true);
    else
        flush();
    file_.finish();
}

}  // namespace

}  // namespace frond::detail

namespace frond {
namespace {

using detail::TextSink;

template <class T>
void put_value(TextSink& sink, T value) {
    if constexpr (is_complex<T>) {
        sink.put(value.real());
        sink.put(" ");
        sink.put(value.imag());
    } else {
        sink.put(value);
    }
    sink.put("\n");
}

/// Banner and comments; a comment of several lines stays a comment.
template <class T>
void put_head(TextSink& sink, const char* format, const char* symmetry, const std::vector<std::string>& comments) {
    sink.put(std::string("%%MatrixMarket matrix ") + format + (is_complex<T> ? " complex " : " real ") + symmetry +
             "\n");
    for (const std::string& comment : comments) {
        std::string text = "% ";
        for (const char c : comment) {
            text += c;
            if (c == '\n') text += "% ";
        }
        sink.put(text + "\n");
    }
}

const char* symmetry_word(Symmetry symmetry) {
    switch (symmetry) {
        case Symmetry::symmetric:
            return "symmetric";
        case Symmetry::hermitian:
            return "hermitian";
        default:
            return "general";
    }
}

}  // namespace

template <class T>
void write_matrix_market(const std::string& path, const SparseMatrix<T>& a,
                         const std::vector<std::string>& comments) try {
    TextSink sink(path);
    put_head<T>(sink, "coordinate", symmetry_word(a.symmetry), comments);
    const auto put_line = [&](count_t first, count_t second, const char* end) {
        sink.put(first);
        sink.put(" ");
        sink.put(second);
        sink.put(end);
    };
    put_line(a.rows(), a.cols(), " ");
    sink.put(a.entries());
    sink.put("\n");
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            put_line(count_t{a.pattern.row[e]} + 1, count_t{j} + 1, " ");
            put_value(sink, a.value[e]);
        }
    sink.close();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
void write_matrix_market(const std::string& path, index_t rows, index_t cols, const T* value, count_t ld,
                         const std::vector<std::string>& comments) try {
    FROND_EXPECTS(rows >= 0 && cols >= 0, "a block of " + std::to_string(rows) + " x " + std::to_string(cols));
    FROND_EXPECTS(ld >= std::max<index_t>(1, rows), "ld is " + std::to_string(ld));
    TextSink sink(path);
    put_head<T>(sink, "array", "general", comments);
    sink.put(count_t{rows});
    sink.put(" ");
    sink.put(count_t{cols});
    sink.put("\n");
    for (index_t j = 0; j < cols; ++j)
        for (index_t i = 0; i < rows; ++i) put_value(sink, value[j * ld + i]);
    sink.close();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T)                                                                                           \
    template void write_matrix_market<T>(const std::string&, const SparseMatrix<T>&, const std::vector<std::string>&); \
    template void write_matrix_market<T>(const std::string&, index_t, index_t, const T*, count_t,                      \
                                         const std::vector<std::string>&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
