// SPDX-License-Identifier: BSD-3-Clause
#include "text_sink.hpp"

#include <zlib.h>

#include <new>

namespace frond::detail {

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

}  // namespace frond::detail
