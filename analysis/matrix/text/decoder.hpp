// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "raw_input.hpp"

#include <memory>

namespace frond::detail {

/// Text out of compressed bytes.
class Decoder {
public:
    virtual ~Decoder() = default;

    /// Up to `bytes` of text, fewer at the end or where the stream is damaged; then damage() says
    /// why.
    virtual std::size_t read(char* into, std::size_t bytes) = 0;

    /// Empty while the stream is good.
    const std::string& damage() const { return damage_; }

protected:
    std::string damage_;
};

/// How to read what begins like `input`.
struct Compression {
    const char* name = nullptr;  // "gzip"; null: the text itself
    std::unique_ptr<Decoder> decoder;  // reads from `input`, which must outlive it
};

/// Told by the first bytes, not by the name. Throws InvalidMatrix for a compression that this
/// build does not read, with the command that undoes it.
Compression find_compression(RawInput& input);

/// Null where the build has not got the library.
std::unique_ptr<Decoder> make_gzip_decoder(RawInput& input);
std::unique_ptr<Decoder> make_xz_decoder(RawInput& input);
std::unique_ptr<Decoder> make_zstd_decoder(RawInput& input);

}  // namespace frond::detail
