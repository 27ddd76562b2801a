// SPDX-License-Identifier: BSD-3-Clause
#include "decoder.hpp"

#include <zlib.h>

#include <new>

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
