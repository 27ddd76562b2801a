// SPDX-License-Identifier: BSD-3-Clause
#include "text_source.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace frond::detail {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr unsigned inflate_buffer_bytes = 1u << 18;

count_t size_of(const std::string& path) {
    std::error_code failure;
    const auto bytes = std::filesystem::file_size(path, failure);
    return failure ? 0 : static_cast<count_t>(bytes);
}

} // namespace

void TextSource::Close::operator()(gzFile_s* file) const noexcept {
    gzclose(file);
}

TextSource::TextSource(std::string path) : path_(std::move(path)) {
    std::error_code failure;
    if (std::filesystem::is_directory(path_, failure))
        throw InvalidArgument(fmt::format("{} is a folder; give a file", path_));
    errno = 0;
    file_.reset(gzopen(path_.c_str(), "rb"));
    if (!file_)
        throw RuntimeError(
            fmt::format("{} cannot be opened: {}; check its name and your permissions", path_,
                        errno != 0 ? std::strerror(errno) : "out of memory"));
    gzbuffer(file_.get(), inflate_buffer_bytes);
    file_bytes_ = size_of(path_);
    buffer_.resize(block_bytes + 1);
}

bool TextSource::compressed() const {
    return gzdirect(file_.get()) == 0;
}

std::size_t TextSource::read(char* into, std::size_t bytes) {
    const int got = gzread(file_.get(), into, static_cast<unsigned>(bytes));
    int code = Z_OK;
    const char* const text = gzerror(file_.get(), &code);
    if (code == Z_ERRNO)
        throw RuntimeError(fmt::format("{} cannot be read: {}", path_, std::strerror(errno)));
    if (got < 0 || code == Z_BUF_ERROR || code == Z_DATA_ERROR)
        fail_damaged(text, into + std::max(got, 0));
    return static_cast<std::size_t>(got);
}

// zlib's reason begins with the name of the file.
void TextSource::fail_damaged(std::string_view reason, const char* end) const {
    const std::string prefix = path_ + ": ";
    if (reason.starts_with(prefix)) reason.remove_prefix(prefix.size());
    const count_t line = lines_ + std::count(buffer_.data(), end, '\n') + 1;
    throw InvalidMatrix(
        fmt::format("{}:{}: the gzip stream is damaged or cut short here ({}); fetch the file again",
                    path_, line, reason),
        path_, line);
}

std::string_view TextSource::next_lines() {
    const char* const begin = buffer_.data();
    lines_ += std::count(begin, begin + line_begin_, '\n');
    const std::size_t kept = filled_ - line_begin_;
    std::memmove(buffer_.data(), buffer_.data() + line_begin_, kept);
    line_begin_ = 0;
    filled_ = kept;
    if (ended_) return {};
    const std::size_t got = read(buffer_.data() + filled_, block_bytes - filled_);
    filled_ += got;
    ended_ = filled_ < block_bytes;
    if (filled_ == 0) return {};
    if (ended_ && buffer_[filled_ - 1] != '\n') buffer_[filled_++] = '\n';
    const std::string_view all(buffer_.data(), filled_);
    const std::size_t last = all.rfind('\n');
    if (last == std::string_view::npos)
        throw InvalidMatrix(
            fmt::format("{}: a line is longer than {} bytes; this is not a matrix file", path_,
                        block_bytes),
            path_);
    line_begin_ = last + 1;
    return all.substr(0, line_begin_);
}

bool LineCursor::next(std::string_view& line) {
    if (rest_.empty()) rest_ = source_.next_lines();
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    rest_.remove_prefix(end + 1);
    ++line_;
    return true;
}

std::string_view LineCursor::next_block() {
    if (rest_.empty()) return source_.next_lines();
    const std::string_view block = rest_;
    rest_ = {};
    return block;
}

void fail_line(const std::string& path, count_t line, const std::string& reason,
               std::string_view text, const std::string& cure) {
    constexpr std::size_t shown = 60;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    std::string quoted;
    for (const char c : text.substr(0, shown))
        quoted += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    if (text.size() > shown) quoted += "...";
    if (!text.empty()) quoted = fmt::format(", found '{}'", quoted);
    throw InvalidMatrix(fmt::format("{}:{}: {}{}; {}", path, line, reason, quoted, cure), path,
                        line);
}

} // namespace frond::detail
