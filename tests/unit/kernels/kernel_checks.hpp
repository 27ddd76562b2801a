// SPDX-License-Identifier: BSD-3-Clause
// Helpers that the kernel tests share.
#pragma once

#include "guarded_matrix.hpp"
#include "reference_kernels.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

namespace frond::test {

/// Orders around the register blocks and the crossovers between kernels.
inline constexpr index_t orders[] = {0, 1, 2, 3, 7, 8, 16, 31, 32, 33, 64, 65, 100, 129, 200};

template <class T>
reference::Matrix<T> exact(const GuardedMatrix<T>& a) {
    return reference::Matrix<T>::from(a.rows(), a.cols(), [&](index_t i, index_t j) { return a(i, j); });
}

template <class T>
reference::Matrix<T> exact_lower(const GuardedMatrix<T>& a, bool unit) {
    return reference::lower_triangle<T>(a.rows(), a.cols(), unit, [&](index_t i, index_t j) { return a(i, j); });
}

template <class T>
reference::Matrix<T> exact_mirrored(const GuardedMatrix<T>& a, bool hermitian) {
    return reference::mirrored<T>(a.rows(), hermitian, [&](index_t i, index_t j) { return a(i, j); });
}

inline bool in_lower(index_t i, index_t j) { return i >= j; }

inline bool is_permutation_of(const std::vector<index_t>& perm) {
    std::vector<bool> seen(perm.size(), false);
    for (const index_t p : perm) {
        if (p < 0 || p >= static_cast<index_t>(perm.size()) || seen[static_cast<std::size_t>(p)]) return false;
        seen[static_cast<std::size_t>(p)] = true;
    }
    return true;
}

/// A workspace of exactly the promised size, followed by poison that must survive.
template <class T>
class GuardedWorkspace {
public:
    explicit GuardedWorkspace(count_t size)
        : size_(static_cast<std::size_t>(size)), storage_(size_ + 64, poison<T>()) {}

    T* data() { return storage_.data(); }

    bool intact() const {
        for (std::size_t i = size_; i < storage_.size(); ++i)
            if (!is_poison(storage_[i])) return false;
        return true;
    }

private:
    std::size_t size_;
    std::vector<T> storage_;
};

/// All results of LDL^T of one block.
template <class T>
struct IndefiniteFactors {
    GuardedMatrix<T> a;
    std::vector<T> pivots;
    std::vector<index_t> perm;
    PivotReport report;

    reference::Matrix<T> product(bool hermitian) const {
        const auto l = exact_lower(a, true);
        const auto d = reference::block_diagonal<T>(a.cols(), hermitian, pivots.data());
        return l * d * l.transposed(hermitian);
    }
};

}  // namespace frond::test
