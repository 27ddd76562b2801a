// SPDX-License-Identifier: BSD-3-Clause
// What is to be solved: the matrix of a file or generator, and its right-hand sides.
#pragma once

#include "arguments/command_line.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "frond/matrix/matrix_market.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <string>
#include <variant>
#include <vector>

namespace frond::cli {

/// Facts of the matrix that the reports name.
struct MatrixFacts {
    std::string name;  // as on the command line
    count_t rows = 0;
    count_t entries = 0;  // of the whole matrix, both triangles
    count_t stored_entries = 0;
    std::string scalar;  // "double", "complex<double>", "float", "complex<float>"
    Symmetry symmetry = Symmetry::general;
    InputReport input;
    count_t underflows = 0;  // entries that single precision lost, next to larger ones
    double seconds = 0;  // to read or make it

    /// The name without its folder.
    std::string title() const { return name.substr(name.find_last_of('/') + 1); }
};

using SomeMatrix = std::variant<SharedMatrix<float>, SharedMatrix<double>, SharedMatrix<std::complex<float>>,
                                SharedMatrix<std::complex<double>>>;

struct Problem {
    MatrixFacts facts;
    SomeMatrix matrix;
    std::array<index_t, 3> grid{0, 0, 0};  // of generated matrices
    index_t grid_dofs = 1;
};

/// Checks before long work that `name` is a file that can be opened, or a generator.
/// @throws InvalidArgument  no such file or generator
void expect_problem(const std::string& name);

/// Reads or makes the matrix in the precision asked for.
/// @throws InvalidArgument  no such file or generator
/// @throws InvalidMatrix    malformed, not square, or a value that single precision cannot hold
Problem load_problem(const std::string& name, Precision precision);

/// Right-hand sides B [n, count], ld = n, and, when they were made from it, the solution X.
template <class T>
struct RightHandSides {
    index_t count = 0;
    std::vector<T> b;
    std::vector<T> known_x;  // empty when b comes from a file
    /// Columns 2j and 2j + 1 are the real and the imaginary part of one right-hand side: A is real.
    bool complex_pairs = false;

    /// The rows of B that are here: all, or those of this rank.
    index_t rows() const { return count > 0 ? static_cast<index_t>(b.size() / static_cast<std::size_t>(count)) : 0; }
};

/// B of a file, whatever its scalar; complex columns for a real matrix become complex_pairs.
/// @throws InvalidArgument, InvalidMatrix  cannot be read or has other than n rows
template <class T>
RightHandSides<T> read_rhs(const std::string& file, index_t n);

/// Reads right-hand sides of some rows, however many the file has.
template <class T>
RightHandSides<T> read_rows_of_rhs(const std::string& file);

/// X of random_rhs, and B = 0.
template <class T>
RightHandSides<T> random_solutions(index_t n, index_t count);

/// B = op(A) X with entries of X (and their imaginary parts) uniform in [-1, 1): the same on every
/// run and machine.
template <class T>
RightHandSides<T> random_rhs(const SparseMatrix<T>& a, Operation operation, index_t count);

/// The one that the command line asks for.
template <class T>
RightHandSides<T> rhs_of(const CommandLine& line, const SparseMatrix<T>& a);

// Numbers of files and generators, which are double, in the precision asked for.

/// A in single precision. Entries a_ij below the smallest normal number become 0 or lose digits;
/// where that is rounding against the largest entries s_i, s_j of their row and column, |a_ij| <=
/// eps sqrt(s_i s_j), they are counted in `underflows`.
/// @throws InvalidMatrix  naming file and entry that is too large, or too small to be rounding
SparseMatrix<float> narrowed(SparseMatrix<double>&& a, const std::string& name, count_t& underflows);
SparseMatrix<std::complex<float>> narrowed(SparseMatrix<std::complex<double>>&& a, const std::string& name,
                                           count_t& underflows);

/// B in single precision, rounding against the largest entry of its column.
/// @throws InvalidMatrix  as above
DenseMatrix<float> narrowed(DenseMatrix<double>&& b, const std::string& name);
DenseMatrix<std::complex<float>> narrowed(DenseMatrix<std::complex<double>>&& b, const std::string& name);

}  // namespace frond::cli
