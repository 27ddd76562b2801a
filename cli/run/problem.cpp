// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include "../terminal/clock.hpp"
#include "arguments/input_paths.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace frond::cli {
namespace {

using Single = std::numeric_limits<float>;

[[noreturn]] void fail_entry(const std::string& name, count_t row, count_t column, double size, const char* reason) {
    throw InvalidMatrix(fmt::format("{}: entry ({}, {}) of size {:.3e} {}; use --precision double, or "
                                    "scale the problem",
                                    name, row + 1, column + 1, size, reason),
                        name);
}

/// True when x becomes 0 or loses digits; `scale` is the size against which that may be rounding.
template <class To, class From>
bool round_entry(From x, To& rounded, double scale, const std::string& name, count_t row, count_t column) {
    rounded = To(x);
    const double size = std::abs(x);
    if (!std::isfinite(std::abs(rounded))) fail_entry(name, row, column, size, "is too large for single precision");
    if (size == 0 || size >= Single::min()) return false;
    if (size > Single::epsilon() * scale)
        fail_entry(name, row, column, size, "is too small for single precision: it would underflow");
    return true;
}

template <class T>
std::vector<double> largest_of_row_and_column(const SparseMatrix<T>& a) {
    std::vector<double> size(static_cast<std::size_t>(std::max(a.rows(), a.cols())), 0.0);
    const Pattern& p = a.pattern;
    for (index_t j = 0; j < p.cols; ++j)
        for (count_t e = p.begin[j]; e < p.begin[j + 1]; ++e) {
            const double entry = std::abs(a.value[e]);
            size[j] = std::max(size[j], entry);
            size[p.row[e]] = std::max(size[p.row[e]], entry);
        }
    return size;
}

template <class To, class From>
SparseMatrix<To> narrowed_matrix(SparseMatrix<From>&& a, const std::string& name, count_t& underflows) {
    const std::vector<double> size = largest_of_row_and_column(a);
    SparseMatrix<To> result{std::move(a.pattern), {}, a.symmetry};
    const Pattern& p = result.pattern;
    result.value.resize(a.value.size());
    for (index_t j = 0; j < p.cols; ++j)
        for (count_t e = p.begin[j]; e < p.begin[j + 1]; ++e) {
            const double scale = std::sqrt(size[p.row[e]]) * std::sqrt(size[j]);
            underflows += round_entry(a.value[e], result.value[e], scale, name, p.row[e], j);
        }
    return result;
}

template <class To, class From>
DenseMatrix<To> narrowed_block(DenseMatrix<From>&& b, const std::string& name) {
    DenseMatrix<To> result{b.rows, b.cols, std::vector<To>(b.value.size())};
    for (count_t j = 0; j < b.cols; ++j) {
        const From* const column = b.value.data() + j * b.rows;
        double largest = 0;
        for (index_t i = 0; i < b.rows; ++i) largest = std::max<double>(largest, std::abs(column[i]));
        for (index_t i = 0; i < b.rows; ++i) round_entry(column[i], result.value[j * b.rows + i], largest, name, i, j);
    }
    return result;
}

}  // namespace

SparseMatrix<float> narrowed(SparseMatrix<double>&& a, const std::string& name, count_t& underflows) {
    return narrowed_matrix<float>(std::move(a), name, underflows);
}

SparseMatrix<std::complex<float>> narrowed(SparseMatrix<std::complex<double>>&& a, const std::string& name,
                                           count_t& underflows) {
    return narrowed_matrix<std::complex<float>>(std::move(a), name, underflows);
}

DenseMatrix<float> narrowed(DenseMatrix<double>&& b, const std::string& name) {
    return narrowed_block<float>(std::move(b), name);
}

DenseMatrix<std::complex<float>> narrowed(DenseMatrix<std::complex<double>>&& b, const std::string& name) {
    return narrowed_block<std::complex<float>>(std::move(b), name);
}

namespace {

template <class T>
SomeMatrix in_precision(SparseMatrix<T>&& a, Precision precision, MatrixFacts& facts) {
    using Single = std::conditional_t<is_complex<T>, std::complex<float>, float>;
    if (precision == Precision::single)
        return std::make_shared<const SparseMatrix<Single>>(narrowed(std::move(a), facts.name, facts.underflows));
    return std::make_shared<const SparseMatrix<T>>(std::move(a));
}

void expect_square(const std::string& name, count_t rows, count_t cols) {
    if (rows == cols) return;
    throw InvalidMatrix(
        fmt::format("{}: {} rows and {} columns; frond solves square systems. For least squares, minimal norm "
                    "or rank use a QR factorization",
                    name, rows, cols));
}

template <class T>
const char* scalar_name() {
    if constexpr (is_complex<T>)
        return sizeof(T) == 8 ? "complex<float>" : "complex<double>";
    else
        return sizeof(T) == 4 ? "float" : "double";
}

void make(const GeneratorRequest& request, Precision precision, Problem& problem) {
    std::visit(
        [&](auto&& made) {
            problem.grid = made.grid;
            problem.grid_dofs = made.dofs;
            problem.matrix = in_precision(std::move(made.matrix), precision, problem.facts);
        },
        generate(request));
}

void read(const std::string& path, Precision precision, Problem& problem) {
    AnyMatrix any = read_matrix(path, &problem.facts.input);
    problem.matrix =
        std::visit([&](auto&& a) { return in_precision(std::move(a), precision, problem.facts); }, std::move(any));
}

}  // namespace

void expect_problem(const std::string& name) {
    if (name != "-" && !parse_generator(name))  // "-" is standard input
        expect_readable(name, "give a matrix file, or generate:KIND:SIZE for a model problem");
}

Problem load_problem(const std::string& name, Precision precision) {
    expect_problem(name);
    const Stopwatch watch;
    const std::optional<GeneratorRequest> request = parse_generator(name);
    Problem problem;
    problem.facts.name = name;
    if (request)
        make(*request, precision, problem);
    else
        read(name, precision, problem);
    std::visit(
        [&]<class T>(const SharedMatrix<T>& shared) {
            const SparseMatrix<T>& a = *shared;
            expect_square(name, a.rows(), a.cols());
            MatrixFacts& facts = problem.facts;
            facts.rows = a.rows();
            facts.entries = entries_full(a.pattern, a.symmetry);
            facts.stored_entries = a.entries();
            facts.scalar = scalar_name<T>();
            facts.symmetry = a.symmetry;
        },
        problem.matrix);
    problem.facts.seconds = watch.seconds();
    return problem;
}

}  // namespace frond::cli
