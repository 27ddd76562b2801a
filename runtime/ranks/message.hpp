// SPDX-License-Identifier: BSD-3-Clause
// Values as bytes and back, for messages between processes of one build.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frond/base/error.hpp"
#include "frond/base/types.hpp"

namespace frond::detail {

/// pack(a, b, ...) appends; visit_fields(pack, object) for structures that have one.
class Packer {
public:
    static constexpr bool packs = true;

    template <class... Fields>
    void operator()(Fields&... fields) {
        (field(fields), ...);
    }
    const std::vector<std::byte>& bytes() const { return bytes_; }
    /// The bytes, which it has no longer.
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void field(const T& value) { append(&value, sizeof value); }
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void field(const std::vector<T>& list) {
        field(static_cast<count_t>(list.size()));
        append(list.data(), list.size() * sizeof(T));
    }
    void field(const std::string& text) {
        field(static_cast<count_t>(text.size()));
        append(text.data(), text.size());
    }
    void append(const void* data, std::size_t size) {
        const auto* const first = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), first, first + size);
    }

    std::vector<std::byte> bytes_;
};

/// Reads the fields that a Packer wrote, in the same order.
class Unpacker {
public:
    static constexpr bool packs = false;

    /// bytes must outlive this.
    explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class... Fields>
    void operator()(Fields&... fields) {
        (field(fields), ...);
    }
    bool is_at_end() const noexcept { return at_ == bytes_.size(); }

private:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void field(T& value) { take(&value, sizeof value); }
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void field(std::vector<T>& list) {
        list.resize(size(sizeof(T)));
        take(list.data(), list.size() * sizeof(T));
    }
    void field(std::string& text) {
        text.resize(size(1));
        take(text.data(), text.size());
    }
    std::size_t size(std::size_t of_each) {
        count_t size = 0;
        field(size);
        if (size < 0 || static_cast<std::size_t>(size) > (bytes_.size() - at_) / of_each) fail();
        return static_cast<std::size_t>(size);
    }
    void take(void* data, std::size_t size) {
        if (size > bytes_.size() - at_) fail();
        if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
        at_ += size;
    }
    [[noreturn]] static void fail() {
        throw RuntimeError("a message between ranks is shorter than it should be; run the same Frond on all ranks");
    }

    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

}  // namespace frond::detail
