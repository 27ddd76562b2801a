// SPDX-License-Identifier: BSD-3-Clause
#include "text_sink.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace frond::detail {

void TextSink::CloseGzip::operator()(gzFile_s* file) const noexcept {
    gzclose(file);
}

TextSink::TextSink(std::string path) : path_(std::move(path)) {
    buffer_.reserve(block_bytes);
    errno = 0;
    if (path_.ends_with(".gz"))
        gzip_.reset(gzopen(path_.c_str(), "wb"));
    else
        file_.reset(std::fopen(path_.c_str(), "wb"));
    if (!file_ && !gzip_) fail("cannot be made");
}

void TextSink::fail(const char* what) const {
    throw RuntimeError(
        fmt::format("{} {}: {}; check the folder, its permissions and the free space", path_, what,
                    errno != 0 ? std::strerror(errno) : "compression failed"));
}

void TextSink::flush() {
    if (buffer_.empty()) return;
    errno = 0;
    const bool written =
        gzip_ ? gzwrite(gzip_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size())) ==
                    static_cast<int>(buffer_.size())
              : std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) == buffer_.size();
    if (!written) fail("cannot be written");
    buffer_.clear();
}

void TextSink::close() {
    flush();
    errno = 0;
    const bool closed =
        gzip_ ? gzclose(gzip_.release()) == Z_OK : std::fclose(file_.release()) == 0;
    if (!closed) fail("cannot be closed");
}

} // namespace frond::detail
