// SPDX-License-Identifier: BSD-3-Clause
// Handles that close themselves, and a matrix in every form that C can give.
#pragma once

#include "frond/base/types.hpp"
#include "frond/frond.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <string>
#include <type_traits>
#include <vector>

namespace frond::test::c {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Session {
public:
    explicit Session(const std::string& options = "cpu_workers=2") {
        REQUIRE(frond_session_create(options.c_str(), &handle_) == FROND_OK);
    }

    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    ~Session() { frond_session_destroy(handle_); }

    frond_session* get() const { return handle_; }

private:
    frond_session* handle_ = nullptr;
};

class Solver {
public:
    Solver(const Session& session, frond_scalar scalar, const char* options = nullptr) {
        REQUIRE(frond_solver_create(session.get(), scalar, options, &handle_) == FROND_OK);
    }

    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    ~Solver() { frond_solver_destroy(handle_); }

    frond_solver* get() const { return handle_; }

private:
    frond_solver* handle_ = nullptr;
};

template <class T>
constexpr frond_scalar scalar_of() {
    if constexpr (std::is_same_v<T, float>) return FROND_FLOAT;
    if constexpr (std::is_same_v<T, double>) return FROND_DOUBLE;
    if constexpr (std::is_same_v<T, std::complex<float>>) return FROND_COMPLEX_FLOAT;
    return FROND_COMPLEX_DOUBLE;
}

// Tridiagonal, unsymmetric and diagonally dominant: 4 on the diagonal, 1 above, -1 below.
template <class T, class I>
struct Tridiagonal {
    explicit Tridiagonal(I order, frond_format format, I base) : n(order) {
        for (I i = 0; i < n; ++i) {
            begin.push_back(static_cast<I>(index.size()) + base);
            for (I j = std::max<I>(0, i - 1); j < std::min<I>(n, i + 2); ++j) {
                // By rows; by columns the same loop gives the transpose, so swap the signs.
                const double off = (j > i) == (format != FROND_CSC) ? 1 : -1;
                row.push_back(i + base);
                index.push_back(j + base);
                value.push_back(T(static_cast<frond::real_t<T>>(j == i ? 4 : off)));
            }
        }
        begin.push_back(static_cast<I>(index.size()) + base);
        FROND_STRUCT(matrix);
        matrix.format = format;
        matrix.index_bits = 8 * sizeof(I);
        matrix.one_based = base;
        matrix.rows = matrix.cols = n;
        matrix.entries = static_cast<int64_t>(value.size());
        matrix.begin = format == FROND_TRIPLETS ? row.data() : begin.data();
        matrix.index = index.data();
        matrix.value = value.data();
    }

    // b = A x
    std::vector<T> times(const std::vector<T>& x) const {
        std::vector<T> b(x.size());
        for (std::size_t i = 0; i < b.size(); ++i) {
            b[i] = T(4) * x[i];
            if (i > 0) b[i] -= x[i - 1];
            if (i + 1 < b.size()) b[i] += x[i + 1];
        }
        return b;
    }

    I n;
    std::vector<I> begin, row, index;
    std::vector<T> value;
    frond_matrix matrix;
};

inline Tridiagonal<double, int32_t> small_matrix() { return Tridiagonal<double, int32_t>(6, FROND_CSR, 0); }

}  // namespace frond::test::c
