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
    if (ended_) return {};
    const std::size_t got = read(buffer_.data() + filled_, text_block_bytes - filled_);
    filled_ += got;
    ended_ = filled_ < text_block_bytes;
    if (!std::exchange(begun_, true)) skip_byte_order_mark();
    if (filled_ == 0) return {};
    if (ended_ && buffer_[filled_ - 1] != '\n') buffer_[filled_++] = '\n';
    const std::string_view all(buffer_.data(), filled_);
    const std::size_t last = all.rfind('\n');
    if (last == std::string_view::npos)
        throw InvalidMatrix(fmt::format("{}: a line is longer than {} bytes; this is not a matrix file", path(),
                                        text_block_bytes),
                            path());
    line_begin_ = last + 1;
    return all.substr(0, line_begin_);
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
    std::string quoted;
    for (const char c : text.substr(0, shown)) quoted += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    if (text.size() > shown) quoted += "...";
    if (!text.empty()) quoted = fmt::format(", found '{}'", quoted);
    throw InvalidMatrix(fmt::format("{}:{}: {}{}; {}", path, line, reason, quoted, cure), path, line);
}

}  // namespace frond::detail
