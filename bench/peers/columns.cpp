// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "peer.hpp"

#include <limits>
#include <stdexcept>

namespace frond::bench {

template<class T>
Columns<T> columns(const SparseMatrix<T>& a, bool lower_only) {
    const bool as_stored = a.symmetry == Symmetry::general || lower_only;
    const SparseMatrix<T> full = as_stored ? a : expanded(a);
    if (full.entries() > std::numeric_limits<int>::max())
        throw std::runtime_error("more than 2^31 entries");
    Columns<T> c;
    c.n = full.rows();
    c.begin.assign(full.pattern.begin.begin(), full.pattern.begin.end());
    c.row = full.pattern.row;
    c.value = full.value;
    return c;
}

#define FROND_INSTANTIATE(T) template Columns<T> columns(const SparseMatrix<T>&, bool);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)

} // namespace frond::bench
