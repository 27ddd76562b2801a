// SPDX-License-Identifier: BSD-3-Clause
#include "open_analysis.hpp"

#include "file_format.hpp"
#include "../matrix/text/raw_input.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

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

}  // namespace

std::unique_ptr<std::istream> open_analysis(const std::string& path) {
    if (is_read_once(path)) return std::make_unique<std::istringstream>(bytes_of_stream(path), std::ios::binary);
    return std::make_unique<std::ifstream>(path, std::ios::binary);
}

}  // namespace frond::detail
