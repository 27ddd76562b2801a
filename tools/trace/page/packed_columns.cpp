// SPDX-License-Identifier: BSD-3-Clause
#include "trace/page/page_columns.hpp"

#include "frond/base/error.hpp"

#include <zlib.h>

namespace frond::cli {
namespace {

std::vector<std::uint8_t> gzipped(const std::vector<std::uint8_t>& bytes) {
    constexpr int gzip_window = 15 + 16, memory_level = 9;
    z_stream stream{};
    if (deflateInit2(&stream, 6, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        throw RuntimeError("zlib cannot start to compress the page of the trace; check the free memory");
    std::vector<std::uint8_t> packed(deflateBound(&stream, bytes.size()) + 32);
    std::size_t read = 0, written = 0;
    int status = Z_OK;
    while (status == Z_OK) {  // zlib counts in 32 bits
        constexpr std::size_t most = std::size_t{1} << 30;
        stream.next_in = const_cast<Bytef*>(bytes.data() + read);
        stream.avail_in = static_cast<uInt>(std::min(most, bytes.size() - read));
        stream.next_out = packed.data() + written;
        stream.avail_out = static_cast<uInt>(std::min(most, packed.size() - written));
        const uInt in = stream.avail_in, out = stream.avail_out;
        status = deflate(&stream, read + in == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
        read += in - stream.avail_in;
        written += out - stream.avail_out;
    }
    deflateEnd(&stream);
    if (status != Z_STREAM_END)
        throw RuntimeError("zlib refused the page of the trace with code " + std::to_string(status) +
                           "; please report this");
    packed.resize(written);
    return packed;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
    constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t three = std::uint32_t{bytes[i]} << 16;
        if (left > 1) three |= std::uint32_t{bytes[i + 1]} << 8;
        if (left > 2) three |= bytes[i + 2];
        text += digits[three >> 18];
        text += digits[three >> 12 & 63];
        text += left > 1 ? digits[three >> 6 & 63] : '=';
        text += left > 2 ? digits[three & 63] : '=';
    }
    return text;
}

}  // namespace

void PackedColumns::append(const std::string& name, const std::string& type, const std::string& coding,
                           const void* numbers, std::size_t count, std::size_t size) {
    index_[name] = {{"type", type}, {"coding", coding}, {"count", count}, {"offset", bytes_.size()}};
    const auto* const from = static_cast<const std::uint8_t*>(numbers);
    bytes_.reserve(bytes_.size() + count * size);
    for (std::size_t byte = 0; byte < size; ++byte)
        for (std::size_t i = 0; i < count; ++i) bytes_.push_back(from[i * size + byte]);
}

void PackedColumns::add(const std::string& name, const std::vector<std::uint8_t>& numbers) {
    append(name, "u8", "plain", numbers.data(), numbers.size(), 1);
}

void PackedColumns::add(const std::string& name, const std::vector<float>& numbers) {
    append(name, "f32", "plain", numbers.data(), numbers.size(), 4);
}

void PackedColumns::add(const std::string& name, const std::vector<std::uint32_t>& numbers) {
    append(name, "u32", "plain", numbers.data(), numbers.size(), 4);
}

void PackedColumns::add_differences(const std::string& name, const std::vector<std::uint32_t>& numbers) {
    std::vector<std::uint32_t> coded(numbers.size());
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::uint32_t difference = numbers[i] - before;  // modulo 2^32
        coded[i] = difference << 1 ^ (difference >> 31 != 0 ? ~std::uint32_t{0} : 0);
        before = numbers[i];
    }
    append(name, "u32", "differences", coded.data(), coded.size(), 4);
}

std::string PackedColumns::text() const { return base64(gzipped(bytes_)); }

}  // namespace frond::cli
