// SPDX-License-Identifier: BSD-3-Clause
#include "decoder.hpp"
#include "frond/base/error.hpp"

#include <fmt/format.h>

namespace frond::detail {
namespace {

struct KnownCompression {
    const char* name;
    std::string_view first_bytes;
    const char* undo;  // the command that writes the text to its standard output
    const char* library;  // that reads it, where the build has it; null: none is tried
    std::unique_ptr<Decoder> (*make)(RawInput&);
};

using namespace std::string_view_literals;

constexpr KnownCompression known_compressions[]{
    {"gzip", "\x1f\x8b"sv, "gzip -dc", "zlib", make_gzip_decoder},
    {"xz", "\xfd\x37zXZ\0"sv, "xz -dc", "liblzma", make_xz_decoder},
    {"zstd", "\x28\xb5\x2f\xfd"sv, "zstd -dc", "libzstd", make_zstd_decoder},
    {"bzip2", "BZh"sv, "bzip2 -dc", nullptr, nullptr},
    {"lz4", "\x04\x22\x4d\x18"sv, "lz4 -dc", nullptr, nullptr},
    {"compress", "\x1f\x9d"sv, "gzip -dc", nullptr, nullptr},
    {"zip", "PK\x03\x04"sv, "unzip -p", nullptr, nullptr},
    {"lzma", "\x5d\0\0"sv, "xz -dc --format=lzma", nullptr, nullptr},  // the format before xz
    {"7-Zip", "7z\xbc\xaf\x27\x1c"sv, "7z x -so", nullptr, nullptr},
};

constexpr std::size_t longest_beginning = 6;

[[noreturn]] void refuse_compression(const RawInput& input, const KnownCompression& kind) {
    const std::string reason = kind.library == nullptr
                                   ? fmt::format("compressed with {}, which Frond does not read", kind.name)
                                   : fmt::format(
                                         "compressed with {}, which this build of Frond does not read: it was made "
                                         "without {}",
                                         kind.name, kind.library);
    throw InvalidMatrix(fmt::format("{}: {}; decompress it first, e.g. {} FILE | frond solve -", input.name(), reason,
                                    kind.undo),
                        input.name());
}

}  // namespace

Compression find_compression(RawInput& input) {
    const std::string_view begin = input.peek(longest_beginning);
    if (begin.starts_with("\xff\xfe") || begin.starts_with("\xfe\xff"))
        throw InvalidMatrix(input.name() +
                                ": the text is UTF-16; write it as UTF-8, e.g. iconv -f "
                                "UTF-16 -t UTF-8 FILE | frond solve -",
                            input.name());
    for (const KnownCompression& kind : known_compressions) {
        if (!begin.starts_with(kind.first_bytes)) continue;
        if (kind.make == nullptr) refuse_compression(input, kind);
        std::unique_ptr<Decoder> decoder = kind.make(input);
        if (!decoder) refuse_compression(input, kind);
        return {kind.name, std::move(decoder)};
    }
    return {};
}

}  // namespace frond::detail
