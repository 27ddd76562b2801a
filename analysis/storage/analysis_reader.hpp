// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file_format.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/base/large_vector.hpp"

#include <array>
#include <fmt/format.h>
#include <istream>
#include <memory>
#include <string>
#include <vector>

namespace frond::detail {

/// The fields of a saved analysis, one after the other. Everything that is wrong is refused with the name of the file.
class AnalysisReader {
public:
    explicit AnalysisReader(const std::string& path);
    /// name: in messages.
    AnalysisReader(std::string name, std::unique_ptr<std::istream> file);

    /// Format, size and, where there is one, checksum.
    void check_header(Checksum checksum);

    template <class T>
    void get(T& x) {
        if constexpr (is_number<T>) {
            std::array<unsigned char, sizeof(T)> bytes;
            get_bytes(bytes.data(), bytes.size());
            x = load_little_endian<T>(bytes.data());
        } else if constexpr (std::is_same_v<T, bool>) {
            x = get_below(2) != 0;
        } else if constexpr (std::is_enum_v<T>) {
            x = static_cast<T>(get_below(static_cast<unsigned>(last_of(T{})) + 1));
        } else {
            visit_fields(x, [this](auto&... field) { (get(field), ...); });
        }
    }

    template <class T>
    void get(std::vector<T>& list) {
        std::uint64_t count = 0;
        get(count);
        if (count > left_ / least_bytes<T>())
            refuse_content(fmt::format("a list of {} entries where {} bytes are left", count, left_));
        resize_in_huge_pages(list, static_cast<std::size_t>(count));
        if constexpr (is_number<T> && std::endian::native == std::endian::little) {
            get_bytes(list.data(), list.size() * sizeof(T));
        } else {
            for (T& x : list) get(x);
        }
    }

    template <class T, std::size_t n>
    void get(std::array<T, n>& list) {
        for (T& x : list) get(x);
    }

    std::uint64_t left() const { return left_; }

    [[noreturn]] void refuse_content(const std::string& what) const;

private:
    [[noreturn]] void refuse(const std::string& reason, const std::string& cure) const;
    [[noreturn]] void refuse_size(std::uint64_t wanted, std::uint64_t found) const;
    [[noreturn]] void fail_to_read() const;

    /// Fewest bytes of one entry of a list.
    template <class T>
    static std::uint64_t least_bytes() {
        if constexpr (is_number<T>)
            return sizeof(T);
        else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>)
            return 1;
        else
            return least_bytes_of_fields(T{});
    }

    template <class T>
    static std::uint64_t least_bytes_of_fields(const T& x) {
        std::uint64_t sum = 0;
        visit_fields(x, [&sum](const auto&... field) { ((sum += least_bytes_of(field)), ...); });
        return sum;
    }

    template <class T>
    static std::uint64_t least_bytes_of(const T&) {
        return least_bytes<T>();
    }

    template <class T>
    static std::uint64_t least_bytes_of(const std::vector<T>&) {
        return sizeof(std::uint64_t);
    }

    std::uint8_t get_below(unsigned limit);
    void get_bytes(void* to, std::uint64_t bytes);
    /// Reads to the end, and goes back to where the payload begins.
    void check_sum(const std::array<unsigned char, header_bytes>& header);

    std::string path_;
    std::unique_ptr<std::istream> file_;
    std::uint64_t left_ = 0;
};

/// What the factorization relies on and does not hold of this analysis, "" when all of it holds.
/// O(size of the analysis). Not checked: that it is an analysis of the pattern whose hash it names, and
/// times and options, which nothing is indexed by.
std::string defect_of(const Analysis& analysis);

/// Checks of parts, in the order in which each relies on those before.
std::string defect_of_order(const Analysis& analysis);
std::string defect_of_tree(const AssemblyTree& tree);
std::string defect_of_entry_map(const Analysis& analysis);
std::string defect_of_mapping(const Analysis& analysis);
std::string defect_of_costs(const Analysis& analysis);

}  // namespace frond::detail
