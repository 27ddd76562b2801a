// SPDX-License-Identifier: BSD-3-Clause
#include "decoder.hpp"

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
