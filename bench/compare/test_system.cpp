// SPDX-License-Identifier: BSD-3-Clause
#include "test_system.hpp"

#include "frond/base/instantiate.hpp"
#include "system/backward_error.hpp"
#include "system/sparse_operator.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace frond::bench {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
    std::vector<To> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        result[i] = static_cast<To>(values[i]);
        if (std::isfinite(std::abs(values[i])) && !std::isfinite(std::abs(result[i])))
            throw std::runtime_error("a value is out of the range of single precision");
    }
    return result;
}

template <class To, class From>
SparseMatrix<To> converted(const SparseMatrix<From>& a) {
    return {a.pattern, converted<To>(a.value), a.symmetry};
}

template <class T>
std::vector<T> right_hand_sides(const SparseMatrix<T>& a, index_t rhs) {
    const auto n = static_cast<std::size_t>(a.rows());
    std::vector<T> x(n * static_cast<std::size_t>(rhs)), b(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(1) + T(static_cast<double>((k % n + k / n) % 7)) / T(8);
    multiply(a, Operation::none, rhs, x.data(), a.rows(), b.data(), a.rows());
    return b;
}

template <class T>
LargestErrors largest_errors(const SparseMatrix<T>& a, const std::vector<T>& x, const std::vector<T>& b, index_t rhs) {
    const LinearSystem<T> system(std::make_shared<const SparseOperator<T>>(a, Operation::none));
    std::vector<T> r(b.size());
    const index_t n = a.rows();
    LargestErrors largest;
    for (const BackwardError& e :
         backward_errors<T>(system, {x.data(), n, rhs, n}, {b.data(), n, rhs, n}, {r.data(), n, rhs, n})) {
        largest.normwise = std::max(largest.normwise, e.normwise);
        largest.componentwise = std::max(largest.componentwise, e.componentwise);
    }
    return largest;
}

#define FROND_INSTANTIATE(T)                                                                                    \
    template std::vector<T> converted(const std::vector<T>&);                                                   \
    template std::vector<Single<T>> converted(const std::vector<T>&);                                           \
    template std::vector<T> converted(const std::vector<Single<T>>&);                                           \
    template SparseMatrix<Single<T>> converted(const SparseMatrix<T>&);                                         \
    template SparseMatrix<T> converted(const SparseMatrix<Single<T>>&);                                         \
    template std::vector<T> right_hand_sides(const SparseMatrix<T>&, index_t);                                  \
    template LargestErrors largest_errors(const SparseMatrix<T>&, const std::vector<T>&, const std::vector<T>&, \
                                          index_t);
FROND_IF_D(FROND_INSTANTIATE)
FROND_IF_Z(FROND_INSTANTIATE)

}  // namespace frond::bench
