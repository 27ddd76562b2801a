// SPDX-License-Identifier: BSD-3-Clause
#include "text_source.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace frond::detail {
namespace {

constexpr std::size_t text_block_bytes = std::size_t{1} << 20;

}  // namespace

TextSource::TextSource(const std::string& path)
    : input_(std::make_unique<RawInput>(path)), compression_(find_compression(*input_)) {
    buffer_.resize(text_block_bytes + 1);
}

std::size_t TextSource::read(char* into, std::size_t bytes) {
    if (!compressed()) return input_->read(into, bytes);
    const std::size_t got = compression_.decoder->read(into, bytes);
    if (!compression_.decoder->damage().empty()) fail_damaged(into + got);
    return got;
}

void TextSource::fail_damaged(const char* end) const {
    const count_t line = lines_ + std::count(buffer_.data(), end, '\n') + 1;
    throw InvalidMatrix(fmt::format("{}:{}: the {} stream is damaged or cut short here ({}); fetch the file again",
                                    path(), line, compression_.name, compression_.decoder->damage()),
                        path(), line);
}

// Editors of Windows put it there; to the formats it is no text.
void TextSource::skip_byte_order_mark() {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (!std::string_view(buffer_.data(), filled_).starts_with(mark)) return;
    filled_ -= mark.size();
    std::memmove(buffer_.data(), buffer_.data() + mark.size(), filled_);
}

std::string_view TextSource::next_lines() {
    const char* const begin = buffer_.data();
    lines_ += std::count(begin, begin + line_begin_, '\n');
    const std::size_t kept = filled_ - line_begin_;
    std::memmove(buffer_.data(), buffer_.data() + line_begin_, kept);
    line_begin_ = 0;
    filled_ = kept;
    if (ended_ || !fill(kept)) return {};
    if (std::memchr(buffer_.data(), '\n', filled_) == nullptr) cut_comment();
    const std::string_view all(buffer_.data(), filled_);
    line_begin_ = all.rfind('\n') + 1;
    return all.substr(0, line_begin_);
}

/// Reads on behind the first `kept` bytes; false: there is no text at all.
bool TextSource::fill(std::size_t kept) {
    filled_ = kept + read(buffer_.data() + kept, text_block_bytes - kept);
    ended_ = filled_ < text_block_bytes;
    if (!std::exchange(begun_, true)) skip_byte_order_mark();
    if (ended_ && filled_ > 0 && buffer_[filled_ - 1] != '\n') buffer_[filled_++] = '\n';
    return filled_ > 0;
}

/// Keeps only the beginning of a comment that fills the buffer.
void TextSource::cut_comment() {
    constexpr std::size_t kept = 64;
    const std::string_view text(buffer_.data(), filled_);
    const std::size_t first = text.substr(0, kept).find_first_not_of(" \t");
    if (first == std::string_view::npos || text[first] != '%')
        throw InvalidMatrix(fmt::format("{}:{}: a line is longer than {} bytes; this is not a matrix file", path(),
                                        lines_ + 1, text_block_bytes),
                            path(), lines_ + 1);
    const char* end = nullptr;
    while (end == nullptr) {
        fill(kept);
        end = static_cast<const char*>(std::memchr(buffer_.data() + kept, '\n', filled_ - kept));
    }
    const std::size_t rest = static_cast<std::size_t>(buffer_.data() + filled_ - end);
    std::memmove(buffer_.data() + kept, end, rest);
    filled_ = kept + rest;
}

std::string_view LineCursor::peek() {
    if (rest_.empty()) rest_ = source_.next_lines();
    return rest_;
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

void fail_line(const std::string& path, count_t line, const std::string& reason, std::string_view text,
               const std::string& cure) {
    constexpr std::size_t shown = 60;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    std::string quoted(text.substr(0, shown));
    if (text.size() > shown) quoted += "...";
    if (!text.empty()) quoted = fmt::format(", found '{}'", quoted);
    throw InvalidMatrix(fmt::format("{}:{}: {}{}; {}", path, line, reason, quoted, cure), path, line);
}

}  // namespace frond::detail
