// SPDX-License-Identifier: BSD-3-Clause
#include "analysis_fields.hpp"
#include "file_format.hpp"
#include "frond/analysis/analysis_file.hpp"
#include "frond/base/error.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>

namespace frond {
namespace {

using namespace detail;

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// A file beside the one that is to be, which takes its name when it is complete and goes otherwise.
class FileBeside {
public:
    explicit FileBeside(const std::string& path) : path_(path) {
        constexpr int attempts = 100; // names that other writers have
        for (int k = 0; k < attempts && !file_; ++k) {
            name_ = fmt::format("{}.{}-{}.part", path_, getpid(), k);
            errno = 0;
            file_.reset(std::fopen(name_.c_str(), "wbx"));
            if (!file_ && errno != EEXIST) break;
        }
        if (!file_) fail("cannot be made");
    }

    FileBeside(const FileBeside&) = delete;
    FileBeside& operator=(const FileBeside&) = delete;

    ~FileBeside() {
        if (!complete_ && !name_.empty()) std::remove(name_.c_str());
    }

    void write(const void* data, std::size_t bytes) {
        errno = 0;
        if (std::fwrite(data, 1, bytes, file_.get()) != bytes) fail("cannot be written");
    }

    void rewind() {
        if (std::fseek(file_.get(), 0, SEEK_SET) != 0) fail("cannot be written");
    }

    /// On the disk before it has its name: a crash leaves the old file or the whole new one.
    void take_name() {
        errno = 0;
        if (std::fflush(file_.get()) != 0 || fsync(fileno(file_.get())) != 0)
            fail("cannot be written");
        if (std::fclose(file_.release()) != 0) fail("cannot be closed");
        if (std::rename(name_.c_str(), path_.c_str()) != 0) fail("cannot take its name");
        complete_ = true;
    }

private:
    [[noreturn]] void fail(const char* what) {
        const std::string reason = errno != 0 ? std::strerror(errno) : "unknown cause";
        file_.reset();
        std::remove(name_.c_str());
        throw RuntimeError(fmt::format(
            "{} {}: {}; check the folder, its permissions and the free space", path_, what, reason));
    }

    std::string path_, name_;
    std::unique_ptr<std::FILE, CloseFile> file_;
    bool complete_ = false;
};

class Writer {
public:
    explicit Writer(FileBeside& file) : file_(file) { buffer_.reserve(buffer_bytes); }

    template<class T>
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

    template<class T>
    void put(const std::vector<T>& list) {
        put(static_cast<std::uint64_t>(list.size()));
        if constexpr (is_number<T> && std::endian::native == std::endian::little) {
            put_bytes(list.data(), list.size() * sizeof(T));
        } else {
            for (const T& x : list) put(x);
        }
    }

    template<class T, std::size_t n>
    void put(const std::array<T, n>& list) {
        for (const T& x : list) put(x);
    }

    void flush() {
        file_.write(buffer_.data(), buffer_.size());
        checksum_ = crc32_z(checksum_, buffer_.data(), buffer_.size());
        bytes_ += buffer_.size();
        buffer_.clear();
    }

    std::uint64_t bytes() const { return bytes_; }
    uLong checksum() const { return checksum_; }

private:
    static constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

    void put_bytes(const void* data, std::size_t bytes) {
        const auto* from = static_cast<const unsigned char*>(data);
        while (bytes > 0) {
            const std::size_t part = std::min(bytes, buffer_bytes - buffer_.size());
            buffer_.insert(buffer_.end(), from, from + part);
            from += part;
            bytes -= part;
            if (buffer_.size() == buffer_bytes) flush();
        }
    }

    FileBeside& file_;
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
    const uLong of_header =
        crc32_z(crc32_z(0, nullptr, 0), &header[checked_from], header_bytes - checked_from);
    const uLong whole =
        crc32_combine(of_header, payload.checksum(), static_cast<z_off_t>(payload.bytes()));
    store_little_endian(&header[12], static_cast<std::uint32_t>(whole));
    return header;
}

} // namespace

void save_analysis(const Analysis& analysis, const std::string& path) try {
    FileBeside file(path);
    const std::array<unsigned char, header_bytes> room{};
    file.write(room.data(), room.size());
    Writer payload(file);
    payload.put(analysis);
    payload.flush();
    const auto header = header_of(payload);
    file.rewind();
    file.write(header.data(), header.size());
    file.take_name();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

} // namespace frond
