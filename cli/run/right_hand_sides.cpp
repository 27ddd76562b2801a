// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "arguments/input_paths.hpp"
#include "problem.hpp"
#include "problem.hpp"
#include "run/new_values.hpp"

#include <fmt/format.h>

#include <limits>

namespace frond::cli {
namespace {

template <class T>
T random_scalar(Uniform& uniform) {
    using R = real_t<T>;
    const R real = static_cast<R>(uniform.next());
    if constexpr (is_complex<T>)
        return {real, static_cast<R>(uniform.next())};
    else
        return real;
}

template <class T, class Double>
DenseMatrix<T> block_in_precision(DenseMatrix<Double>&& b, const std::string& file) {
    if constexpr (std::is_same_v<T, Double>)
        return std::move(b);
    else
        return narrowed(std::move(b), file);
}

/// Re b_0, Im b_0, Re b_1, ...
DenseMatrix<double> in_parts(const DenseMatrix<std::complex<double>>& b) {
    constexpr index_t most = std::numeric_limits<index_t>::max() / 2;
    if (b.cols > most) throw InvalidArgument(fmt::format("more than {} complex right-hand sides", most));
    DenseMatrix<double> parts{b.rows, 2 * b.cols, std::vector<double>(2 * b.value.size())};
    const std::size_t rows = static_cast<std::size_t>(b.rows);
    for (std::size_t j = 0; j < static_cast<std::size_t>(b.cols); ++j)
        for (std::size_t i = 0; i < rows; ++i) {
            parts.value[2 * j * rows + i] = b.value[j * rows + i].real();
            parts.value[(2 * j + 1) * rows + i] = b.value[j * rows + i].imag();
        }
    return parts;
}

template <class T>
RightHandSides<T> rhs_of_block(DenseMatrix<T>&& b, index_t n, const std::string& file, bool complex_pairs = false) {
    if (n >= 0 && b.rows != n)
        throw path_error(file, fmt::format("right-hand sides of {} rows, but the matrix has {}", b.rows, n),
                         "give as many rows as the matrix has");
    return {b.cols, std::move(b.value), {}, complex_pairs};
}

}  // namespace

template <class T>
RightHandSides<T> read_rhs(const std::string& file, index_t n) {
    expect_readable(file, "give a Matrix Market file, or --random-rhs N");
    if constexpr (is_complex<T>) {
        return rhs_of_block(block_in_precision<T>(read_dense<std::complex<double>>(file), file), n, file);
    } else {
        AnyDense<double> any = read_any_dense<double>(file);
        if (auto* real = std::get_if<DenseMatrix<double>>(&any))
            return rhs_of_block(block_in_precision<T>(std::move(*real), file), n, file);
        return rhs_of_block(block_in_precision<T>(in_parts(std::get<DenseMatrix<std::complex<double>>>(any)), file), n,
                            file, true);
    }
}

template <class T>
RightHandSides<T> read_rows_of_rhs(const std::string& file) {
    return read_rhs<T>(file, -1);
}

template <class T>
RightHandSides<T> random_solutions(index_t n, index_t count) {
    RightHandSides<T> rhs{
        count, std::vector<T>(static_cast<std::size_t>(n) * static_cast<std::size_t>(count)), {}, false};
    rhs.known_x.resize(rhs.b.size());
    Uniform uniform;
    for (T& x : rhs.known_x) x = random_scalar<T>(uniform);
    return rhs;
}

template <class T>
RightHandSides<T> random_rhs(const SparseMatrix<T>& a, Operation operation, index_t count) {
    const count_t n = a.rows();
    RightHandSides<T> rhs = random_solutions<T>(a.rows(), count);
    multiply(a, operation, count, rhs.known_x.data(), n, rhs.b.data(), n);
    return rhs;
}

template <class T>
RightHandSides<T> rhs_of(const CommandLine& line, const SparseMatrix<T>& a) {
    return line.rhs_file.empty() ? random_rhs(a, line.options.solve.operation, line.random_rhs)
                                 : read_rhs<T>(line.rhs_file, a.rows());
}

#define FROND_INSTANTIATE(T)                                                          \
    template RightHandSides<T> read_rhs<T>(const std::string&, index_t);              \
    template RightHandSides<T> read_rows_of_rhs<T>(const std::string&);               \
    template RightHandSides<T> random_solutions<T>(index_t, index_t);                 \
    template RightHandSides<T> rhs_of<T>(const CommandLine&, const SparseMatrix<T>&); \
    template RightHandSides<T> random_rhs<T>(const SparseMatrix<T>&, Operation, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::cli
