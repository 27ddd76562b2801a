// SPDX-License-Identifier: BSD-3-Clause
#include "../text/text_sink.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/matrix_market.hpp"

#include <algorithm>
#include <new>

namespace frond {
namespace {

using detail::TextSink;

template <class T>
void put_value(TextSink& sink, T value) {
    if constexpr (is_complex<T>) {
        sink.put(value.real());
        sink.put(" ");
        sink.put(value.imag());
    } else {
        sink.put(value);
    }
    sink.put("\n");
}

/// Banner and comments; a comment of several lines stays a comment.
template <class T>
void put_head(TextSink& sink, const char* format, const char* symmetry, const std::vector<std::string>& comments) {
    sink.put(std::string("%%MatrixMarket matrix ") + format + (is_complex<T> ? " complex " : " real ") + symmetry +
             "\n");
    for (const std::string& comment : comments) {
        std::string text = "% ";
        for (const char c : comment) {
            text += c;
            if (c == '\n') text += "% ";
        }
        sink.put(text + "\n");
    }
}

const char* symmetry_word(Symmetry symmetry) {
    switch (symmetry) {
        case Symmetry::symmetric:
            return "symmetric";
        case Symmetry::hermitian:
            return "hermitian";
        default:
            return "general";
    }
}

}  // namespace

template <class T>
void write_matrix_market(const std::string& path, const SparseMatrix<T>& a,
                         const std::vector<std::string>& comments) try {
    TextSink sink(path);
    put_head<T>(sink, "coordinate", symmetry_word(a.symmetry), comments);
    const auto put_line = [&](count_t first, count_t second, const char* end) {
        sink.put(first);
        sink.put(" ");
        sink.put(second);
        sink.put(end);
    };
    put_line(a.rows(), a.cols(), " ");
    sink.put(a.entries());
    sink.put("\n");
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            put_line(count_t{a.pattern.row[e]} + 1, count_t{j} + 1, " ");
            put_value(sink, a.value[e]);
        }
    sink.close();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
void write_matrix_market(const std::string& path, index_t rows, index_t cols, const T* value, count_t ld,
                         const std::vector<std::string>& comments) try {
    FROND_EXPECTS(rows >= 0 && cols >= 0, "a block of " + std::to_string(rows) + " x " + std::to_string(cols));
    FROND_EXPECTS(ld >= std::max<index_t>(1, rows), "ld is " + std::to_string(ld));
    TextSink sink(path);
    put_head<T>(sink, "array", "general", comments);
    sink.put(count_t{rows});
    sink.put(" ");
    sink.put(count_t{cols});
    sink.put("\n");
    for (index_t j = 0; j < cols; ++j)
        for (index_t i = 0; i < rows; ++i) put_value(sink, value[j * ld + i]);
    sink.close();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T)                                                                                           \
    template void write_matrix_market<T>(const std::string&, const SparseMatrix<T>&, const std::vector<std::string>&); \
    template void write_matrix_market<T>(const std::string&, index_t, index_t, const T*, count_t,                      \
                                         const std::vector<std::string>&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
