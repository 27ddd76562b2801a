// SPDX-License-Identifier: BSD-3-Clause
#include "dense_problem.hpp"

#include "arguments/input_paths.hpp"
#include "frond/base/error.hpp"
#include "run/narrow.hpp"
#include "run/stopwatch.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace frond::cli {
namespace {

template <class T>
constexpr const char* dense_scalar_name() {
    if constexpr (is_complex<T>)
        return sizeof(T) == 8 ? "complex<float>" : "complex<double>";
    else
        return sizeof(T) == 4 ? "float" : "double";
}

Symmetry symmetry_of(const std::string& text) {
    return text == "symmetric" ? Symmetry::symmetric : text == "hermitian" ? Symmetry::hermitian : Symmetry::general;
}

/// Single precision where that is asked for.
template <class T>
SomeDense dense_in_precision(DenseMatrix<T>&& a, Precision precision, const std::string& name) {
    if constexpr (std::is_same_v<real_t<T>, double>)
        if (precision == Precision::single) return narrowed(std::move(a), name);
    return std::move(a);
}

SomeDense read_array(const std::string& name, Symmetry& symmetry) {
    const MatrixMarketHeader header = read_matrix_market_header(name);
    if (header.format == FileFormat::coordinate)
        throw InvalidArgument(name + ": a sparse matrix; solve it by: frond solve " + name);
    if (header.rows != header.cols)
        throw InvalidMatrix(fmt::format("{}: {} rows and {} columns; frond solves square systems", name, header.rows,
                                        header.cols),
                            name);
    symmetry = header.symmetry == Symmetry::skew_symmetric ? Symmetry::general : header.symmetry;
    return std::visit([](auto&& a) -> SomeDense { return std::move(a); }, read_any_dense<double>(name));
}

std::vector<index_t> numbers_of_share(const DenseShare& share, index_t n) {
    std::vector<index_t> numbers;
    for (index_t i = share.first(n); i < share.end(n); ++i) numbers.push_back(i);
    return numbers;
}

/// Reads or makes the parts of all ranks; an array, which is text, is read by rank 0.
void read_or_make(const std::string& name, const DenseShare& share, DenseProblem& problem) {
    index_t order = 0;
    bool is_of_columns = true;
    if (is_dense_generator(name)) {
        problem.matrix = generate_dense(name, problem.facts.symmetry, share, order);
    } else {
        if (is_standard_input(name))
            throw InvalidArgument("a dense matrix is read from a file, not from standard input; name a file");
        expect_readable(name, "give a Matrix Market array, a NumPy file, or generate:random:N");
        if (!is_numpy_file(name)) {
            if (share.has_own_file)
                throw InvalidArgument(name +
                                      ": a file a rank holds rows of the matrix, as NumPy's format can; give "
                                      "files of numpy.save");
            problem.matrix = read_array(name, problem.facts.symmetry);
            return;
        }
        NumpyPart part = read_numpy(name, share);
        problem.matrix = std::move(part.matrix);
        order = part.order;
        is_of_columns = part.is_of_columns;
    }
    problem.facts.rows = order;
    problem.has_maps = share.ranks > 1;
    if (problem.has_maps) (is_of_columns ? problem.column_map : problem.row_map) = numbers_of_share(share, order);
}

}  // namespace

std::string dense_matrix_text() {
    return "Matrix Market array, plain or compressed, or a NumPy file (.npy), or generate:KIND:N with KIND random, "
           "symmetric, definite, hilbert or wilkinson and N the order";
}

DenseProblem load_dense_problem(const std::string& name, const std::string& symmetry, Precision precision,
                                const DenseShare& share) {
    const Stopwatch watch;
    DenseProblem problem;
    MatrixFacts& facts = problem.facts;
    facts.name = name;
    read_or_make(name, share, problem);
    if (!symmetry.empty()) facts.symmetry = symmetry_of(symmetry);
    SomeDense any = std::move(problem.matrix);
    std::visit([&]<class T>(DenseMatrix<T>&& a) { problem.matrix = dense_in_precision(std::move(a), precision, name); },
               std::move(any));
    std::visit(
        [&]<class T>(const DenseMatrix<T>& a) {
            const bool one_triangle = facts.symmetry != Symmetry::general;
            if (!is_complex<T> && facts.symmetry == Symmetry::hermitian) facts.symmetry = Symmetry::symmetric;
            if (!problem.has_maps) facts.rows = a.rows;
            facts.entries = facts.rows * facts.rows;
            facts.stored_entries = one_triangle ? facts.rows * (facts.rows + 1) / 2 : facts.entries;
            facts.scalar = dense_scalar_name<T>();
        },
        problem.matrix);
    facts.seconds = watch.seconds();
    return problem;
}

}  // namespace frond::cli
