// SPDX-License-Identifier: BSD-3-Clause
// The dense matrix of a file or generator.
#pragma once

#include "frond/matrix/matrix_market.hpp"
#include "run/problem.hpp"

#include <complex>
#include <string>
#include <variant>

namespace frond::cli {

/// [n, n], both triangles or, of a symmetric or Hermitian matrix, the lower one.
using SomeDense = std::variant<DenseMatrix<float>, DenseMatrix<double>, DenseMatrix<std::complex<float>>,
                               DenseMatrix<std::complex<double>>>;

/// The part of a dense matrix that this process reads or makes.
struct DenseShare {
    index_t rank = 0, ranks = 1;
    bool has_own_file = false;  // of its rows

    index_t first(count_t n) const { return static_cast<index_t>(n * rank / ranks); }
    index_t end(count_t n) const { return static_cast<index_t>(n * (rank + 1) / ranks); }
};

struct DenseProblem {
    MatrixFacts facts;  // of the whole matrix
    SomeDense matrix;  // what is here
    /// Which rows and columns of the whole these are: all, none, or some of one of them.
    std::vector<index_t> row_map, column_map;
    bool has_maps = false;
};

/// What may be named, for the help of the command.
std::string dense_matrix_text();

/// Reads or makes the matrix. symmetry: "general", "symmetric", "hermitian", or "" for what the file says. precision
/// single: numbers in double are narrowed, those that are single stay so with either.
/// @throws InvalidArgument  no such file or generator; a sparse file, which `frond solve` takes
/// @throws InvalidMatrix    malformed, or not square
DenseProblem load_dense_problem(const std::string& name, const std::string& symmetry, Precision precision,
                                const DenseShare& share = {});

/// generate:KIND:N: random, symmetric (random), definite (random with n on its diagonal), hilbert, wilkinson.
/// @throws InvalidArgument  the kind is unknown, or N is none
bool is_dense_generator(const std::string& name);
/// Columns share.first(n) .. share.end(n) of it, of a symmetric one on several ranks the lower triangle alone. order := n.
DenseMatrix<double> generate_dense(const std::string& name, Symmetry& symmetry, const DenseShare& share,
                                   index_t& order);

/// A file that NumPy's save() wrote: little-endian numbers of 4 or 8 bytes or pairs of them, two dimensions, in C or
/// Fortran order.
/// @throws InvalidMatrix  naming what is wrong; RuntimeError when it cannot be read
bool is_numpy_file(const std::string& path);
/// If there are several ranks, each reads its share of the rows, or of the columns where these lie together; with a
/// file of its own all of that, which is its share of the rows.
struct NumpyPart {
    SomeDense matrix;
    index_t order = 0;
    bool is_of_columns = false;
};
NumpyPart read_numpy(const std::string& path, const DenseShare& share);

}  // namespace frond::cli
