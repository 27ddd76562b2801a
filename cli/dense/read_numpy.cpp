// SPDX-License-Identifier: BSD-3-Clause
// NumPy's format of one array (NEP 1): magic string, version, length of the header, a header in Python's syntax, numbers.
#include "dense_problem.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <fstream>
#include <limits>

namespace frond::cli {
namespace {

constexpr std::string_view numpy_magic = "\x93NUMPY";

[[noreturn]] void fail_numpy(const std::string& path, const std::string& reason, const std::string& cure) {
    throw InvalidMatrix(fmt::format("{}: {}; {}", path, reason, cure), path);
}

struct NumpyHeader {
    std::string type;  // "<f8"
    bool fortran_order = false;
    count_t rows = 0, cols = 0;
};

/// What stands behind 'key': in the header.
std::string_view value_of(const std::string& path, std::string_view header, const std::string& key) {
    const std::size_t found = header.find("'" + key + "'");
    const std::size_t colon = found == std::string_view::npos ? found : header.find(':', found);
    if (colon == std::string_view::npos)
        fail_numpy(path, "the header has no '" + key + "'", "write the file with numpy.save");
    const std::size_t begin = header.find_first_not_of(' ', colon + 1);
    return begin == std::string_view::npos ? std::string_view() : header.substr(begin);
}

/// "(3, 4)"; anything but two numbers is refused.
void read_shape(const std::string& path, std::string_view text, NumpyHeader& header) {
    const char *p = text.data(), *const end = p + text.size();
    const auto number = [&](count_t& n) {
        while (p < end && (*p == ' ' || *p == '(' || *p == ',')) ++p;
        const auto [stop, failure] = std::from_chars(p, end, n);
        const bool is_number = failure == std::errc();
        p = is_number ? stop : p;
        return is_number;
    };
    const bool has_two = !text.empty() && text[0] == '(' && number(header.rows) && number(header.cols);
    while (p < end && (*p == ' ' || *p == ',')) ++p;
    if (!has_two || p == end || *p != ')')
        fail_numpy(path, "the array has not two dimensions", "save a square array of two dimensions");
    constexpr count_t most = std::numeric_limits<index_t>::max();
    if (header.rows < 0 || header.rows > most || header.cols < 0 || header.cols > most)
        fail_numpy(path,
                   fmt::format("the array is {} x {}, more than {} rows or columns", header.rows, header.cols, most),
                   "split the problem");
}

NumpyHeader read_header(std::ifstream& file, const std::string& path) {
    std::array<char, 8> start{};
    file.read(start.data(), start.size());
    const int version = start[6];
    std::array<unsigned char, 4> length{};
    const int length_bytes = version == 1 ? 2 : 4;
    file.read(reinterpret_cast<char*>(length.data()), length_bytes);
    if (!file || version < 1 || version > 3)
        fail_numpy(path, "the start of the NumPy file is damaged", "write it with numpy.save");
    std::uint32_t bytes = 0;
    for (int k = length_bytes - 1; k >= 0; --k) bytes = bytes << 8 | length[static_cast<std::size_t>(k)];
    constexpr std::uint32_t most_bytes = 1 << 16;
    if (bytes > most_bytes) fail_numpy(path, fmt::format("a header of {} bytes", bytes), "write it with numpy.save");
    std::string text(bytes, ' ');
    file.read(text.data(), static_cast<std::streamsize>(bytes));
    if (!file) fail_numpy(path, "the file ends in its header", "write it with numpy.save");
    NumpyHeader header;
    const std::string_view type = value_of(path, text, "descr");
    header.type = type.size() > 4 ? type.substr(1, type.find_first_of("'\"", 1) - 1) : type;
    header.fortran_order = value_of(path, text, "fortran_order").starts_with("True");
    read_shape(path, value_of(path, text, "shape"), header);
    return header;
}

/// Column-major [rows, cols] of row-major.
template <class T>
DenseMatrix<T> from_rows(const DenseMatrix<T>& by_rows) {
    DenseMatrix<T> a{by_rows.cols, by_rows.rows, std::vector<T>(by_rows.value.size())};
    const auto rows = static_cast<std::size_t>(a.rows), cols = static_cast<std::size_t>(a.cols);
    for (std::size_t j = 0; j < cols; ++j)
        for (std::size_t i = 0; i < rows; ++i) a.value[i + j * rows] = by_rows.value[j + i * cols];
    return a;
}

/// What one process reads: `lines` rows or columns, whichever lie together, of `length` numbers each.
struct NumpyLines {
    count_t first = 0, lines = 0, length = 0;
};

NumpyLines lines_of(const std::string& path, const NumpyHeader& header, const DenseShare& share) {
    const count_t n = header.cols, all = header.fortran_order ? header.cols : header.rows;
    const count_t length = header.fortran_order ? header.rows : header.cols;
    if (share.has_own_file) {
        const count_t wanted = share.end(n) - share.first(n);
        if (header.rows != wanted)
            fail_numpy(path, fmt::format("{} rows and {} columns", header.rows, n),
                       fmt::format("give rank {} of {} the rows {} to {} (not that one) of the matrix, counted from 0",
                                   share.rank, share.ranks, share.first(n), share.end(n)));
        return {0, all, length};
    }
    if (header.rows != header.cols)
        fail_numpy(path, fmt::format("{} rows and {} columns", header.rows, header.cols),
                   "frond solves square systems");
    return {share.first(n), share.end(n) - share.first(n), length};
}

template <class T>
NumpyPart read_numbers(std::ifstream& file, const std::string& path, const NumpyHeader& header,
                       const DenseShare& share) {
    const NumpyLines part = lines_of(path, header, share);
    const auto begin = file.tellg();
    file.seekg(0, std::ios::end);
    const auto bytes = static_cast<count_t>(file.tellg() - begin), size = count_t{sizeof(T)},
               wanted = header.rows * header.cols;  // below 2^62: times `size` it may be above 2^63
    if (!file || bytes % size != 0 || bytes / size != wanted)
        fail_numpy(path, fmt::format("{} bytes of numbers where the header promises {} times {}", bytes, wanted, size),
                   "complete the file, or write it again");
    file.seekg(begin + static_cast<std::streamoff>(part.first * part.length * count_t{sizeof(T)}));
    DenseMatrix<T> a{static_cast<index_t>(part.length), static_cast<index_t>(part.lines), {}};
    a.value.resize(static_cast<std::size_t>(part.length) * static_cast<std::size_t>(part.lines));
    file.read(reinterpret_cast<char*>(a.value.data()), static_cast<std::streamsize>(a.value.size() * sizeof(T)));
    if (!file) throw RuntimeError(path + ": cannot be read; look at the disk");
    NumpyPart read;
    read.order = static_cast<index_t>(header.cols);
    read.is_of_columns = header.fortran_order && !share.has_own_file;
    if (header.fortran_order)
        read.matrix = std::move(a);
    else
        read.matrix = from_rows(a);
    return read;
}

}  // namespace

bool is_numpy_file(const std::string& path) {
    std::array<char, 6> start{};
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), start.size());
    return file && std::string_view(start.data(), start.size()) == numpy_magic;
}

NumpyPart read_numpy(const std::string& path, const DenseShare& share) {
    static_assert(std::endian::native == std::endian::little, "numbers of files are taken as they are");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw RuntimeError(path + ": cannot be opened; look at its name and permissions");
    const NumpyHeader header = read_header(file, path);
    if (header.type == "<f4") return read_numbers<float>(file, path, header, share);
    if (header.type == "<f8") return read_numbers<double>(file, path, header, share);
    if (header.type == "<c8") return read_numbers<std::complex<float>>(file, path, header, share);
    if (header.type == "<c16") return read_numbers<std::complex<double>>(file, path, header, share);
    fail_numpy(path, "numbers of type '" + header.type + "'",
               "save float32, float64, complex64 or complex128, little-endian");
}

}  // namespace frond::cli
