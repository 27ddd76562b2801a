// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"
#include "input_paths.hpp"
#include "stopwatch.hpp"

#include <fmt/format.h>

#include <cmath>

namespace frond::cli {
namespace {

template<class To, class From>
SparseMatrix<To> converted(SparseMatrix<From>&& a) {
    if constexpr (std::is_same_v<To, From>) {
        return std::move(a);
    } else {
        SparseMatrix<To> result{std::move(a.pattern), {}, a.symmetry};
        result.value.reserve(a.value.size());
        for (const From& value : a.value) {
            const To rounded(value);
            if (!std::isfinite(std::abs(rounded)))
                throw InvalidMatrix(fmt::format("an entry of size {:.3e} is too large for single "
                                                "precision; use --precision double",
                                                std::abs(value)));
            result.value.push_back(rounded);
        }
        return result;
    }
}

template<class T>
SomeMatrix in_precision(SparseMatrix<T>&& a, Precision precision) {
    using Single = std::conditional_t<is_complex<T>, std::complex<float>, float>;
    if (precision == Precision::single)
        return std::make_shared<const SparseMatrix<Single>>(converted<Single>(std::move(a)));
    return std::make_shared<const SparseMatrix<T>>(std::move(a));
}

void expect_square(const std::string& name, count_t rows, count_t cols) {
    if (rows == cols) return;
    throw InvalidMatrix(fmt::format(
        "{}: {} rows and {} columns; frond solves square systems. For least squares, minimal norm "
        "or rank use a QR factorization",
        name, rows, cols));
}

template<class T>
const char* scalar_name() {
    if constexpr (is_complex<T>)
        return sizeof(T) == 8 ? "complex<float>" : "complex<double>";
    else
        return sizeof(T) == 4 ? "float" : "double";
}

Problem from_generator(const GeneratorRequest& request, Precision precision) {
    return std::visit(
        [&](auto&& made) {
            return Problem{
                {}, in_precision(std::move(made.matrix), precision), made.grid, made.dofs};
        },
        generate(request));
}

Problem from_file(const std::string& path, Precision precision) {
    Problem problem;
    problem.matrix = std::visit([&](auto&& a) { return in_precision(std::move(a), precision); },
                                read_matrix(path, &problem.facts.input));
    return problem;
}

} // namespace

void expect_problem(const std::string& name) {
    if (name != "-" && !parse_generator(name)) // "-" is standard input
        expect_readable(name, "give a matrix file, or generate:KIND:SIZE for a model problem");
}

Problem load_problem(const std::string& name, Precision precision) {
    expect_problem(name);
    const Stopwatch watch;
    const std::optional<GeneratorRequest> request = parse_generator(name);
    Problem problem = request ? from_generator(*request, precision) : from_file(name, precision);
    std::visit(
        [&]<class T>(const SharedMatrix<T>& shared) {
            const SparseMatrix<T>& a = *shared;
            expect_square(name, a.rows(), a.cols());
            MatrixFacts& facts = problem.facts;
            facts.name = name;
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

} // namespace frond::cli
