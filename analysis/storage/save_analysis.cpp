// SPDX-License-Identifier: BSD-3-Clause
#include "file_format.hpp"
#include "file_format.hpp"
#include "frond/analysis/analysis_file.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/analysis/packed_analysis.hpp"
#include "frond/base/error.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/output_file.hpp"

#include <zlib.h>

#include <cstring>
#include <functional>
#include <new>
#include <utility>

namespace frond {
namespace {

using namespace detail;

class Writer {
public:
    using Sink = std::function<void(const unsigned char*, std::size_t)>;

    /// Without a sink the bytes are counted, and summed up if asked, and go nowhere.
    explicit Writer(Sink sink, Checksum checksum) : sink_(std::move(sink)), sums_(checksum == Checksum::yes) {
        buffer_.reserve(buffer_bytes);
    }

    template <class T>
    void put(const T& x) {
        if constexpr (is_number<T>) {
            std::array<unsigned char, sizeof(T)> bytes;
            store_little_endian(bytes.data(), x);
            put_bytes(bytes.data(), bytes.size());
        } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
            put(static_cast<std::uint8_t>(x));
        } else {
            visit_fields(x, [this](const auto&... field) { (put(field), ...); });
        }
    }

    template <class T>
    void put(const std::vector<T>& list) {
        put(static_cast<std::uint64_t>(list.size()));
        if constexpr (is_number<T> && std::endian::native == std::endian::little) {
            put_bytes(list.data(), list.size() * sizeof(T));
        } else {
            for (const T& x : list) put(x);
        }
    }

    template <class T, std::size_t n>
    void put(const std::array<T, n>& list) {
        for (const T& x : list) put(x);
    }

    void flush() {
        pass(buffer_.data(), buffer_.size());
        buffer_.clear();
    }

    std::uint64_t bytes() const { return bytes_; }
    uLong checksum() const { return checksum_; }

private:
    static constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

    /// Long lists are not copied to the buffer.
    void put_bytes(const void* data, std::size_t bytes) {
        if (!sink_ && !sums_) {
            bytes_ += bytes;
            return;
        }
        const auto* const from = static_cast<const unsigned char*>(data);
        if (buffer_.size() + bytes > buffer_bytes) flush();
        if (bytes >= buffer_bytes)
            pass(from, bytes);
        else
            buffer_.insert(buffer_.end(), from, from + bytes);
    }
    void pass(const unsigned char* from, std::size_t bytes) {
        if (sink_) sink_(from, bytes);
        if (sums_) checksum_ = crc32_z(checksum_, from, bytes);
        bytes_ += bytes;
    }

    Sink sink_;
    bool sums_;
    std::vector<unsigned char> buffer_;
    std::uint64_t bytes_ = 0;
    uLong checksum_ = crc32_z(0, nullptr, 0);
};

std::array<unsigned char, header_bytes> header_of(const Writer& payload) {
    std::array<unsigned char, header_bytes> header{};
    std::copy(file_magic.begin(), file_magic.end(), header.begin());
    store_little_endian(&header[8], format_version);
    store_little_endian(&header[16], payload.bytes());
    constexpr std::string_view version = FROND_VERSION_TEXT;
    static_assert(version.size() < version_text_bytes);
    std::copy(version.begin(), version.end(), &header[24]);
    const uLong of_header = crc32_z(crc32_z(0, nullptr, 0), &header[checked_from], header_bytes - checked_from);
    const uLong whole = crc32_combine(of_header, payload.checksum(), static_cast<z_off_t>(payload.bytes()));
    store_little_endian(&header[12], static_cast<std::uint32_t>(whole));
    return header;
}

/// The header tells size and checksum of what follows, and a pipe does not go back: so the bytes of a file are made twice,
/// once to be counted.
void write(const Analysis& analysis, const Writer::Sink& sink) {
    Writer counted({}, Checksum::yes);
    counted.put(analysis);
    counted.flush();
    const auto header = header_of(counted);
    sink(header.data(), header.size());
    Writer payload(sink, Checksum::no);  // that of the first time
    payload.put(analysis);
    payload.flush();
}

}  // namespace

void save_analysis(const Analysis& analysis, const std::string& path) try {
    if (!is_whole(analysis))
        throw InvalidArgument(
            "the analysis is the part of one process of several, and is not saved; save one of a Solver "
            "with distributed_analysis = off");
    OutputFile file(path);
    write(analysis, [&](const unsigned char* data, std::size_t bytes) { file.write(data, bytes); });
    file.finish();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

std::vector<std::byte> packed_analysis(const Analysis& analysis) {
    Writer counted({}, Checksum::no);
    counted.put(analysis);
    std::vector<std::byte> all;
    all.reserve(header_bytes + counted.bytes());
    ask_for_huge_pages(all.data(), all.capacity());
    all.resize(header_bytes);
    const auto append = [&](const unsigned char* data, std::size_t bytes) {
        const auto* const first = reinterpret_cast<const std::byte*>(data);
        all.insert(all.end(), first, first + bytes);
    };
    Writer payload(append, Checksum::no);
    payload.put(analysis);
    payload.flush();
    const auto header = header_of(payload);
    std::memcpy(all.data(), header.data(), header.size());
    return all;
}

}  // namespace frond
