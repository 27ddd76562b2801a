// SPDX-License-Identifier: BSD-3-Clause
#include "../files/entry_list.hpp"
#include "../files/read_from_parser.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "rutherford_boeing_parser.hpp"

#include <new>

namespace frond {
namespace {

using namespace detail;

/// The k-th entry's value: 1 of a pattern; refused when it is too large for a float.
template <class T>
T entry_value(const RutherfordBoeingParser& parser, const std::vector<double>& value, std::size_t k) {
    using R = real_t<T>;
    const FileField field = parser.header().field;
    if (field == FileField::pattern) return T(1);
    const bool complex = field == FileField::complex;
    const double re = complex ? value[2 * k] : value[k];
    const double im = complex ? value[2 * k + 1] : 0.0;
    R narrow_re = 0;
    R narrow_im = 0;
    if (!round_to_float(re, nullptr, narrow_re) || !round_to_float(im, nullptr, narrow_im))
        parser.fail("value " + std::to_string(k + 1) + " is larger than single precision can hold", "",
                    "read it in double precision");
    if constexpr (is_complex<T>)
        return T(narrow_re, narrow_im);
    else
        return narrow_re;
}

}  // namespace

template <class T>
SparseMatrix<T> detail::read_from_parser(RutherfordBoeingParser& parser, InputReport* report,
                                         const ReadOptions& options) {
    const RutherfordBoeingHeader& header = parser.header();
    if (!is_complex<T> && header.field == FileField::complex)
        parser.fail("the file holds a complex matrix, which a real scalar cannot", header.type,
                    "read it into std::complex");
    const std::vector<count_t> begin = parser.pointers();
    EntryList<T> list;
    list.symmetry = header.symmetry;
    list.stored = Triangle::lower;
    list.row = parser.rows();
    std::vector<double> value;
    if (header.field != FileField::pattern) value = parser.values(options);
    list.column.reserve(list.row.size());
    list.value.reserve(list.row.size());
    for (std::size_t j = 0; j + 1 < begin.size(); ++j)
        for (count_t e = begin[j]; e < begin[j + 1]; ++e) {
            list.column.push_back(static_cast<index_t>(j) + 1);
            list.value.push_back(entry_value<T>(parser, value, static_cast<std::size_t>(e)));
        }
    return make_canonical(list, header.rows, header.cols, parser.path(), report, options);
}

RutherfordBoeingHeader read_rutherford_boeing_header(const std::string& path) try {
    return RutherfordBoeingParser(LineCursor(path)).header();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
SparseMatrix<T> read_rutherford_boeing(const std::string& path, InputReport* report, const ReadOptions& options) try {
    RutherfordBoeingParser parser{LineCursor(path)};
    return read_from_parser<T>(parser, report, options);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template SparseMatrix<T> detail::read_from_parser<T>(RutherfordBoeingParser&, InputReport*, const ReadOptions&); \
    template SparseMatrix<T> read_rutherford_boeing<T>(const std::string&, InputReport*, const ReadOptions&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
