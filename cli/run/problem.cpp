// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"
#include "arguments/input_paths.hpp"
#include "narrow.hpp"
#include "stopwatch.hpp"

#include <fmt/format.h>

namespace frond::cli {
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
