// SPDX-License-Identifier: BSD-3-Clause
#include "analysis_fields.hpp"
#include "check_analysis.hpp"
#include "file_format.hpp"
#include "frond/analysis/analysis_file.hpp"
#include "frond/analysis/packed_analysis.hpp"
#include "frond/base/error.hpp"
#include "open_analysis.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <memory>
#include <new>
#include <sstream>
#include <utility>

namespace frond {
namespace {

using namespace detail;

constexpr const char* make_it_anew = "save the analysis again with this version of Frond";

class Reader {
public:
    explicit Reader(const std::string& path) : Reader(path == "-" ? "standard input" : path, opened(path)) {}

    /// name: in messages.
    Reader(std::string name, std::unique_ptr<std::istream> file) : path_(std::move(name)), file_(std::move(file)) {
        file_->seekg(0, std::ios::end);
        const std::streamoff size = *file_ ? static_cast<std::streamoff>(file_->tellg()) : -1;
        file_->seekg(0);
        // A folder opens, but has no bytes to read.
        if (size < 0 || !*file_ || (file_->peek(), file_->bad())) fail_to_read();
        file_->clear();
        left_ = static_cast<std::uint64_t>(size);
    }

    void check_header() {
        const std::uint64_t size = left_;
        std::array<unsigned char, header_bytes> header{};
        get_bytes(header.data(), std::min<std::uint64_t>(size, header_bytes));
        if (!std::equal(file_magic.begin(), file_magic.end(), header.begin()))
            refuse("it is not an analysis saved by Frond",
                   "give a file that save_analysis() or "
                   "frond analyze --save wrote");
        if (size < header_bytes) refuse_size(header_bytes, size);
        const auto format = load_little_endian<std::uint32_t>(&header[8]);
        if (format != format_version)
            refuse(fmt::format("its format is {} (of Frond {}), this Frond {} reads format {}", format,
                               version_text(header), FROND_VERSION_TEXT, format_version),
                   make_it_anew);
        const auto payload = load_little_endian<std::uint64_t>(&header[16]);
        if (payload != size - header_bytes) refuse_size(payload, size - header_bytes);
        check_sum(header);
    }

    template <class T>
    void get(T& x) {
        if constexpr (is_number<T>) {
            std::array<unsigned char, sizeof(T)> bytes;
            get_bytes(bytes.data(), bytes.size());
            x = load_little_endian<T>(bytes.data());
        } else if constexpr (std::is_same_v<T, bool>) {
            x = get_below(2) != 0;
        } else if constexpr (std::is_enum_v<T>) {
            x = static_cast<T>(get_below(static_cast<unsigned>(last_of(T{})) + 1));
        } else {
            visit_fields(x, [this](auto&... field) { (get(field), ...); });
        }
    }

    template <class T>
    void get(std::vector<T>& list) {
        std::uint64_t count = 0;
        get(count);
        if (count > left_ / least_bytes<T>())
            refuse_content(fmt::format("a list of {} entries where {} bytes are left", count, left_));
        list.resize(static_cast<std::size_t>(count));
        if constexpr (is_number<T> && std::endian::native == std::endian::little) {
            get_bytes(list.data(), list.size() * sizeof(T));
        } else {
            for (T& x : list) get(x);
        }
    }

    template <class T, std::size_t n>
    void get(std::array<T, n>& list) {
        for (T& x : list) get(x);
    }

    std::uint64_t left() const { return left_; }

    [[noreturn]] void refuse_content(const std::string& what) const {
        refuse("its content is inconsistent: " + what, make_it_anew);
    }

private:
    static std::unique_ptr<std::istream> opened(const std::string& path) {
        errno = 0;
        return open_analysis(path);
    }

    [[noreturn]] void refuse(const std::string& reason, const std::string& cure) const {
        throw InvalidArgument(fmt::format("{}: {}; {}", path_, reason, cure));
    }

    [[noreturn]] void refuse_size(std::uint64_t wanted, std::uint64_t found) const {
        refuse(fmt::format("it is cut off or longer than it says: {} bytes where {} are announced", found, wanted),
               "copy it again, in binary mode, or save the analysis again");
    }

    [[noreturn]] void fail_to_read() const {
        throw RuntimeError(
            fmt::format("{} cannot be read: {}; give a file that is there and that you "
                        "may read",
                        path_, errno != 0 ? std::strerror(errno) : "not a file"));
    }

    static std::string version_text(const std::array<unsigned char, header_bytes>& header) {
        std::string text;
        for (std::size_t i = 24; i < header_bytes && header[i] != 0; ++i)
            text += header[i] >= ' ' && header[i] < 0x7f ? static_cast<char>(header[i]) : '?';
        return text;
    }

    /// Fewest bytes of one entry of a list.
    template <class T>
    static std::uint64_t least_bytes() {
        if constexpr (is_number<T>)
            return sizeof(T);
        else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>)
            return 1;
        else
            return least_bytes_of_fields(T{});
    }

    template <class T>
    static std::uint64_t least_bytes_of_fields(const T& x) {
        std::uint64_t sum = 0;
        visit_fields(x, [&sum](const auto&... field) { ((sum += least_bytes_of(field)), ...); });
        return sum;
    }

    template <class T>
    static std::uint64_t least_bytes_of(const T&) {
        return least_bytes<T>();
    }

    template <class T>
    static std::uint64_t least_bytes_of(const std::vector<T>&) {
        return sizeof(std::uint64_t);
    }

    std::uint8_t get_below(unsigned limit) {
        std::uint8_t x = 0;
        get(x);
        if (x >= limit) refuse_content(fmt::format("the value {} of an option", x));
        return x;
    }

    void get_bytes(void* to, std::uint64_t bytes) {
        if (bytes > left_) refuse_content("it ends within a field");
        errno = 0;
        if (bytes > 0 && !file_->read(static_cast<char*>(to), static_cast<std::streamsize>(bytes))) fail_to_read();
        left_ -= bytes;
    }

    /// Reads to the end, and goes back to where the payload begins.
    void check_sum(const std::array<unsigned char, header_bytes>& header) {
        const std::uint64_t payload = left_;
        uLong sum = crc32_z(crc32_z(0, nullptr, 0), &header[checked_from], header_bytes - checked_from);
        constexpr std::uint64_t block_bytes = std::uint64_t{1} << 18;
        std::vector<unsigned char> block(std::min(block_bytes, payload));
        while (left_ > 0) {
            const std::uint64_t bytes = std::min(block_bytes, left_);
            get_bytes(block.data(), bytes);
            sum = crc32_z(sum, block.data(), bytes);
        }
        if (static_cast<std::uint32_t>(sum) != load_little_endian<std::uint32_t>(&header[12]))
            refuse("it is damaged: its checksum does not fit its bytes",
                   "copy it again, in binary mode, or save the analysis again");
        file_->seekg(static_cast<std::streamoff>(header_bytes));
        left_ = payload;
    }

    std::string path_;
    std::unique_ptr<std::istream> file_;
    std::uint64_t left_ = 0;
};

std::shared_ptr<const Analysis> analysis_from(Reader& reader) {
    reader.check_header();
    const auto analysis = std::make_shared<Analysis>();
    reader.get(*analysis);
    if (reader.left() > 0) reader.refuse_content("bytes follow the last field");
    return analysis;
}

}  // namespace

std::shared_ptr<const Analysis> load_analysis(const std::string& path) try {
    Reader reader(path);
    std::shared_ptr<const Analysis> analysis = analysis_from(reader);
    const std::string defect = defect_of(*analysis);
    if (!defect.empty()) reader.refuse_content(defect);
    return analysis;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

std::shared_ptr<const Analysis> unpacked_analysis(const std::vector<std::byte>& bytes) {
    Reader reader("the analysis of another rank",
                  std::make_unique<std::istringstream>(
                      std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), std::ios::binary));
    return analysis_from(reader);
}

}  // namespace frond
