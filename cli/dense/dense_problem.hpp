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

struct DenseProblem {
    MatrixFacts facts;
    SomeDense matrix;
};

/// What may be named, for the help of the command.
std::string dense_matrix_text();

/// Reads or makes the matrix. symmetry: "general", "symmetric", "hermitian", or "" for what the file says. precision
/// single: numbers in double are narrowed, those that are single stay so with either.
/// @throws InvalidArgument  no such file or generator; a sparse file, which `frond solve` takes
/// @throws InvalidMatrix    malformed, or not square
DenseProblem load_dense_problem(const std::string& name, const std::string& symmetry, Precision precision);

/// generate:KIND:N: random, symmetric (random), definite (random with n on its diagonal), hilbert, wilkinson.
/// @throws InvalidArgument  the kind is unknown, or N is none
bool is_dense_generator(const std::string& name);
DenseMatrix<double> generate_dense(const std::string& name, Symmetry& symmetry);

/// A file that NumPy's save() wrote: little-endian numbers of 4 or 8 bytes or pairs of them, two dimensions, in C or
/// Fortran order.
/// @throws InvalidMatrix  naming what is wrong; RuntimeError when it cannot be read
bool is_numpy_file(const std::string& path);
SomeDense read_numpy(const std::string& path);

}  // namespace frond::cli
