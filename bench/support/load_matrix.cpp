// SPDX-License-Identifier: BSD-3-Clause
#include "load_matrix.hpp"

#include "frond/matrix/generate.hpp"

namespace frond::bench {

AnyMatrix load_matrix(const std::string& name) {
    if (const auto request = parse_generator(name))
        return std::visit([](auto&& g) -> AnyMatrix { return std::move(g.matrix); }, generate(*request));
    return read_matrix(name);
}

template <class T>
bool may_be_definite(const SparseMatrix<T>& a) {
    if (a.symmetry == Symmetry::general || (is_complex<T> && a.symmetry != Symmetry::hermitian)) return false;
    for (std::size_t j = 0; j < static_cast<std::size_t>(a.cols()); ++j) {
        const auto first = static_cast<std::size_t>(a.pattern.begin[j]);
        const bool has_diagonal =
            a.pattern.begin[j] < a.pattern.begin[j + 1] && a.pattern.row[first] == static_cast<index_t>(j);
        if (!has_diagonal || !(real_part(a.value[first]) > 0)) return false;
    }
    return true;
}

template bool may_be_definite(const SparseMatrix<double>&);
template bool may_be_definite(const SparseMatrix<std::complex<double>>&);

}  // namespace frond::bench
