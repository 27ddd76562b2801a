// SPDX-License-Identifier: BSD-3-Clause
#include "analysis_reader.hpp"

#include "../matrix/text/raw_input.hpp"
#include "file_format.hpp"
#include "frond/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <zlib.h>

namespace frond::detail {
namespace {

bool is_read_once(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    return path == "-" || fs::is_fifo(status) || fs::is_character_file(status) || fs::is_socket(status);
}

std::string bytes_of_stream(const std::string& path) {
    RawInput input(path);
    std::string bytes(input.peek(file_magic.size()));
    input.skip(bytes.size());
    const bool is_analysis =
        bytes.size() >= file_magic.size() && std::memcmp(bytes.data(), file_magic.data(), file_magic.size()) == 0;
    if (!is_analysis) return bytes;
    for (std::string_view more; !(more = input.peek(1)).empty(); input.skip(more.size())) bytes += more;
    return bytes;
}

/// The bytes of a file for who goes back in them. What can be read only once, a pipe or, for "-", standard input, is
/// taken into memory, unless its first bytes are not those of an analysis: it may then have no end.
std::unique_ptr<std::istream> open_analysis(const std::string& path) {
    if (is_read_once(path)) return std::make_unique<std::istringstream>(bytes_of_stream(path), std::ios::binary);
    return std::make_unique<std::ifstream>(path, std::ios::binary);
}

constexpr const char* make_it_anew = "save the analysis again with this version of Frond";

std::unique_ptr<std::istream> opened(const std::string& path) {
    errno = 0;
    return open_analysis(path);
}

std::string version_text(const std::array<unsigned char, header_bytes>& header) {
    std::string text;
    for (std::size_t i = 24; i < header_bytes && header[i] != 0; ++i)
        text += header[i] >= ' ' && header[i] < 0x7f ? static_cast<char>(header[i]) : '?';
    return text;
}

}  // namespace

AnalysisReader::AnalysisReader(const std::string& path)
    : AnalysisReader(path == "-" ? "standard input" : path, opened(path)) {}

AnalysisReader::AnalysisReader(std::string name, std::unique_ptr<std::istream> file)
    : path_(std::move(name)), file_(std::move(file)) {
    file_->seekg(0, std::ios::end);
    const std::streamoff size = *file_ ? static_cast<std::streamoff>(file_->tellg()) : -1;
    file_->seekg(0);
    // A folder opens, but has no bytes to read.
    if (size < 0 || !*file_ || (file_->peek(), file_->bad())) fail_to_read();
    file_->clear();
    left_ = static_cast<std::uint64_t>(size);
}

void AnalysisReader::check_header(Checksum checksum) {
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
    if (checksum == Checksum::yes) check_sum(header);
}

void AnalysisReader::refuse_content(const std::string& what) const {
    refuse("its content is inconsistent: " + what, make_it_anew);
}

void AnalysisReader::refuse(const std::string& reason, const std::string& cure) const {
    throw InvalidArgument(fmt::format("{}: {}; {}", path_, reason, cure));
}

void AnalysisReader::refuse_size(std::uint64_t wanted, std::uint64_t found) const {
    refuse(fmt::format("it is cut off or longer than it says: {} bytes where {} are announced", found, wanted),
           "copy it again, in binary mode, or save the analysis again");
}

void AnalysisReader::fail_to_read() const {
    throw RuntimeError(
        fmt::format("{} cannot be read: {}; give a file that is there and that you "
                    "may read",
                    path_, errno != 0 ? std::strerror(errno) : "not a file"));
}

std::uint8_t AnalysisReader::get_below(unsigned limit) {
    std::uint8_t x = 0;
    get(x);
    if (x >= limit) refuse_content(fmt::format("the value {} of an option", x));
    return x;
}

void AnalysisReader::get_bytes(void* to, std::uint64_t bytes) {
    if (bytes > left_) refuse_content("it ends within a field");
    errno = 0;
    const auto wanted = static_cast<std::streamsize>(bytes);  // from the buffer: read() costs more than most fields
    if (file_->rdbuf()->sgetn(static_cast<char*>(to), wanted) != wanted) fail_to_read();
    left_ -= bytes;
}

void AnalysisReader::check_sum(const std::array<unsigned char, header_bytes>& header) {
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

}  // namespace frond::detail
