// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace frond::detail {

/// The bytes of a file, a pipe or, for "-", standard input, read once from the first to the last.
class RawInput {
public:
    /// Throws InvalidArgument for a folder, RuntimeError when the file cannot be opened.
    explicit RawInput(const std::string& path);
    RawInput(const RawInput&) = delete;
    RawInput& operator=(const RawInput&) = delete;
    ~RawInput();

    /// The bytes that were read and not yet taken; reads on until there are `least`, or the end.
    std::string_view peek(std::size_t least);

    /// Takes the first bytes of peek().
    void skip(std::size_t bytes) { begin_ += bytes; }

    /// Takes and copies up to `bytes`, fewer only at the end.
    std::size_t read(char* into, std::size_t bytes);

    /// The name in messages: the path, or "standard input".
    const std::string& name() const { return name_; }

    /// The size of a regular file; 0 for a pipe.
    count_t file_bytes() const { return file_bytes_; }

private:
    std::size_t read_some(char* into, std::size_t bytes);

    std::string name_;
    int descriptor_ = -1;
    count_t file_bytes_ = 0;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;  // of what lies in the buffer
};

}  // namespace frond::detail
