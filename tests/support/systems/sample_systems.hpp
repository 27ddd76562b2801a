// SPDX-License-Identifier: BSD-3-Clause
// Small matrices for every factorization kind: model problems and random ones.
#pragma once

#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"

#include <string>
#include <vector>

namespace frond::test {

template <class T>
struct SampleSystem {
    std::string name;
    SparseMatrix<T> matrix;
    Factorization kind = Factorization::lu;
};

/// A symmetric matrix with other diagonal entries, imaginary ones for complex T: indefinite.
template <class T>
SparseMatrix<T> shifted(SparseMatrix<T> a, T shift) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            if (a.pattern.row[static_cast<std::size_t>(e)] == j) a.value[static_cast<std::size_t>(e)] += shift;
    return a;
}

template <class T>
void add_definite(std::vector<SampleSystem<T>>& list) {
    constexpr Symmetry symmetry = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
    if constexpr (!is_complex<T>) {
        list.push_back({"poisson2d 12", poisson2d<T>(12).matrix, Factorization::llt});
        list.push_back({"elasticity3d 3", elasticity3d<T>(3).matrix, Factorization::llt});
    }
    list.push_back({"random definite", random_sparse<T>(110, 3, symmetry, true, 11), Factorization::llt});
}

template <class T>
void add_indefinite(std::vector<SampleSystem<T>>& list) {
    if constexpr (is_complex<T>) {
        list.push_back(
            {"random Hermitian", random_sparse<T>(100, 3, Symmetry::hermitian, false, 3), Factorization::ldlh});
        list.push_back(
            {"Hermitian, dominant", random_sparse<T>(100, 3, Symmetry::hermitian, true, 4), Factorization::ldlh});
    } else {
        list.push_back({"kkt 3", kkt<T>(3).matrix, Factorization::ldlt});
        list.push_back({"poisson2d 11, shifted", shifted<T>(poisson2d<T>(11).matrix, T(-3.3)), Factorization::ldlt});
    }
    list.push_back({"random symmetric", random_sparse<T>(100, 3, Symmetry::symmetric, false, 5), Factorization::ldlt});
}

template <class T>
void add_general(std::vector<SampleSystem<T>>& list) {
    if constexpr (!is_complex<T>) list.push_back({"convdiff3d 5", convdiff3d<T>(5).matrix, Factorization::lu});
    list.push_back({"random general", random_sparse<T>(100, 3, Symmetry::general, false, 6), Factorization::lu});
    list.push_back({"general, dominant", random_sparse<T>(130, 3, Symmetry::general, true, 7), Factorization::lu});
    list.push_back({"LU of one triangle", random_sparse<T>(90, 3, Symmetry::symmetric, false, 8), Factorization::lu});
}

template <class T>
std::vector<SampleSystem<T>> sample_systems() {
    std::vector<SampleSystem<T>> list;
    add_definite(list);
    add_indefinite(list);
    add_general(list);
    return list;
}

}  // namespace frond::test
