// SPDX-License-Identifier: BSD-3-Clause
#include "decoder.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>
#include <new>
#include <zlib.h>

namespace frond::detail {
namespace {

class GzipDecoder : public Decoder {
public:
    explicit GzipDecoder(RawInput& input) : input_(input) {
        constexpr int largest_window = 15, with_gzip_header = 16;
        if (inflateInit2(&stream_, largest_window + with_gzip_header) != Z_OK) throw std::bad_alloc();
    }

    GzipDecoder(const GzipDecoder&) = delete;
    GzipDecoder& operator=(const GzipDecoder&) = delete;

    ~GzipDecoder() override { inflateEnd(&stream_); }

    std::size_t read(char* into, std::size_t bytes) override {
        stream_.next_out = reinterpret_cast<unsigned char*>(into);
        stream_.avail_out = static_cast<unsigned>(bytes);
        while (stream_.avail_out > 0 && !ended_ && damage_.empty()) step();
        return bytes - stream_.avail_out;
    }

private:
    void step() {
        const std::string_view bytes = input_.peek(1);
        stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));  // read only
        stream_.avail_in = static_cast<unsigned>(bytes.size());
        const int code = inflate(&stream_, Z_NO_FLUSH);
        input_.skip(bytes.size() - stream_.avail_in);
        if (code == Z_MEM_ERROR) throw std::bad_alloc();
        if (code == Z_STREAM_END)
            next_member();
        else if (code == Z_BUF_ERROR && bytes.empty())
            damage_ = "unexpected end of file";
        else if (code != Z_OK && code != Z_BUF_ERROR)
            damage_ = stream_.msg != nullptr ? stream_.msg : "no gzip stream";
    }

    /// Files that were joined follow each other; what else follows is padding of tapes, as for
    /// gzip.
    void next_member() {
        ended_ = !input_.peek(2).starts_with("\x1f\x8b");
        if (!ended_) inflateReset(&stream_);
    }

    RawInput& input_;
    z_stream stream_{};
    bool ended_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_gzip_decoder(RawInput& input) { return std::make_unique<GzipDecoder>(input); }

}  // namespace frond::detail

#if FROND_WITH_LZMA
#include <lzma.h>
#include <new>

namespace frond::detail {
namespace {

/// xz -9 needs 65 MiB; a file that asks for more than this is no matrix of anybody.
constexpr std::uint64_t memory_limit_bytes = std::uint64_t{1} << 30;

const char* text_of(lzma_ret code) {
    switch (code) {
        case LZMA_MEMLIMIT_ERROR:
            return "it takes more than 1 GiB to decompress";
        case LZMA_FORMAT_ERROR:
            return "no xz stream";
        case LZMA_OPTIONS_ERROR:
            return "options that this liblzma does not know";
        case LZMA_BUF_ERROR:
            return "unexpected end of file";
        default:
            return "incorrect data";
    }
}

class XzDecoder : public Decoder {
public:
    explicit XzDecoder(RawInput& input) : input_(input) {
        if (lzma_stream_decoder(&stream_, memory_limit_bytes, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
    }

    XzDecoder(const XzDecoder&) = delete;
    XzDecoder& operator=(const XzDecoder&) = delete;

    ~XzDecoder() override { lzma_end(&stream_); }

    std::size_t read(char* into, std::size_t bytes) override {
        stream_.next_out = reinterpret_cast<std::uint8_t*>(into);
        stream_.avail_out = bytes;
        while (stream_.avail_out > 0 && !ended_ && damage_.empty()) step();
        return bytes - stream_.avail_out;
    }

private:
    void step() {
        const std::string_view bytes = input_.peek(1);
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
        stream_.avail_in = bytes.size();
        const lzma_ret code = lzma_code(&stream_, bytes.empty() ? LZMA_FINISH : LZMA_RUN);
        input_.skip(bytes.size() - stream_.avail_in);
        if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
        ended_ = code == LZMA_STREAM_END;
        if (!ended_ && code != LZMA_OK) damage_ = text_of(code);
    }

    RawInput& input_;
    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool ended_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_xz_decoder(RawInput& input) { return std::make_unique<XzDecoder>(input); }

}  // namespace frond::detail

#else

std::unique_ptr<frond::detail::Decoder> frond::detail::make_xz_decoder(RawInput&) { return nullptr; }
#endif

#if FROND_WITH_ZSTD
#include <new>
#include <zstd.h>

namespace frond::detail {
namespace {

/// Windows of zstd --long=31, the largest; the default refuses above 128 MiB.
constexpr int largest_window_log = sizeof(void*) == 8 ? 31 : 30;

struct FreeContext {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

class ZstdDecoder : public Decoder {
public:
    explicit ZstdDecoder(RawInput& input) : input_(input), context_(ZSTD_createDCtx()) {
        if (!context_) throw std::bad_alloc();
        ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, largest_window_log);
    }

    std::size_t read(char* into, std::size_t bytes) override {
        ZSTD_outBuffer out{into, bytes, 0};
        while (out.pos < out.size && !ended_ && damage_.empty()) step(out);
        return out.pos;
    }

private:
    void step(ZSTD_outBuffer& out) {
        const std::string_view bytes = input_.peek(1);
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        const std::size_t before = out.pos;
        const std::size_t code = ZSTD_decompressStream(context_.get(), &out, &in);
        input_.skip(in.pos);
        if (ZSTD_isError(code)) {
            damage_ = ZSTD_getErrorName(code);
        } else if (bytes.empty() && out.pos == before) {  // nothing is left inside either
            ended_ = at_frame_end_;
            if (!ended_) damage_ = "unexpected end of file";
        } else {
            at_frame_end_ = code == 0;
        }
    }

    RawInput& input_;
    std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
    bool at_frame_end_ = false;
    bool ended_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_zstd_decoder(RawInput& input) { return std::make_unique<ZstdDecoder>(input); }

}  // namespace frond::detail

#else

std::unique_ptr<frond::detail::Decoder> frond::detail::make_zstd_decoder(RawInput&) { return nullptr; }
#endif

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
