// SPDX-License-Identifier: BSD-3-Clause
#include "decoder.hpp"

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
