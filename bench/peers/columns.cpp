// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "peer.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace frond::bench {

template <class T>
Columns<T> columns(const SparseMatrix<T>& a, bool lower_only) {
    const bool as_stored = a.symmetry == Symmetry::general || lower_only;
    const SparseMatrix<T> full = as_stored ? a : expanded(a);
    if (full.entries() > std::numeric_limits<int>::max()) throw std::runtime_error("more than 2^31 entries");
    Columns<T> c;
    c.n = full.rows();
    c.begin.assign(full.pattern.begin.begin(), full.pattern.begin.end());
    c.row = full.pattern.row;
    c.value = full.value;
    return c;
}

// Rows of the upper triangle are columns of the lower one, conjugated when A is Hermitian.
template <class T>
Columns<T> rows(const SparseMatrix<T>& a, bool upper_only) {
    if (!upper_only) return columns(transposed(a.symmetry == Symmetry::general ? a : expanded(a)), false);
    Columns<T> upper = columns(a, true);
    if constexpr (is_complex<T>)
        if (a.symmetry == Symmetry::hermitian)
            for (T& value : upper.value) value = std::conj(value);
    return upper;
}

template <class T>
void take_values(Columns<T>& c, const SparseMatrix<T>& a, bool lower_only) {
    const bool as_stored = a.symmetry == Symmetry::general || lower_only;
    const std::vector<T> expanded_value = as_stored ? std::vector<T>{} : expanded(a).value;
    const std::vector<T>& value = as_stored ? a.value : expanded_value;
    std::copy(value.begin(), value.end(), c.value.begin());
}

#define FROND_INSTANTIATE(T)                                   \
    template Columns<T> columns(const SparseMatrix<T>&, bool); \
    template Columns<T> rows(const SparseMatrix<T>&, bool);    \
    template void take_values(Columns<T>&, const SparseMatrix<T>&, bool);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
