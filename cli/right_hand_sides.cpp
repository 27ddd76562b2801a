// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "input_paths.hpp"
#include "problem.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

// Uniform in [-1, 1): SplitMix64 (Steele, Lea & Flood 2014, figure 17), top 53 bits.
class Uniform {
public:
    double next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        return static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
    }

private:
    std::uint64_t state_ = 1;
};

template<class T>
T random_scalar(Uniform& uniform) {
    using R = real_t<T>;
    const R real = static_cast<R>(uniform.next());
    if constexpr (is_complex<T>)
        return {real, static_cast<R>(uniform.next())};
    else
        return real;
}

} // namespace

template<class T>
RightHandSides<T> read_rhs(const std::string& file, index_t n) {
    expect_readable(file, "give a Matrix Market file, or --random-rhs N");
    DenseMatrix<T> b = read_dense<T>(file);
    if (b.rows != n)
        throw path_error(
            file, fmt::format("right-hand sides of {} rows, but the matrix has {}", b.rows, n),
            "give as many rows as the matrix has");
    return {b.cols, std::move(b.value), {}};
}

template<class T>
RightHandSides<T> random_rhs(const SparseMatrix<T>& a, Operation operation, index_t count) {
    const count_t n = a.rows();
    RightHandSides<T> rhs{count, std::vector<T>(static_cast<std::size_t>(n * count)), {}};
    rhs.known_x.resize(rhs.b.size());
    Uniform uniform;
    for (T& x : rhs.known_x) x = random_scalar<T>(uniform);
    multiply(a, operation, count, rhs.known_x.data(), n, rhs.b.data(), n);
    return rhs;
}

#define FROND_INSTANTIATE(T)                                                                       \
    template RightHandSides<T> read_rhs<T>(const std::string&, index_t);                           \
    template RightHandSides<T> random_rhs<T>(const SparseMatrix<T>&, Operation, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

} // namespace frond::cli
