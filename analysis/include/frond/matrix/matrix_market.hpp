// SPDX-License-Identifier: BSD-3-Clause
// Matrix Market files (Boisvert, Pozo & Remington 1996), plain or compressed, or a pipe: see
// matrix_file.hpp.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <complex>
#include <string>
#include <variant>
#include <vector>

namespace frond {

enum class FileFormat : std::uint8_t { coordinate, array };
enum class FileField : std::uint8_t { real, integer, complex, pattern };

/// What the banner and the size line say.
struct MatrixMarketHeader {
    FileFormat format = FileFormat::coordinate;
    FileField field = FileField::real;
    Symmetry symmetry = Symmetry::general;
    count_t rows = 0;
    count_t cols = 0;
    count_t entries = 0;  // lines that must follow; for arrays those of the stored triangle
};

struct ReadOptions {
    /// Refuse NaN and Inf; off, they are taken as they are (no factorization accepts them).
    bool require_finite = true;
};

/// Column-major, ld = rows.
template <class T>
struct DenseMatrix {
    index_t rows = 0;
    index_t cols = 0;
    std::vector<T> value;  // [rows * cols]
};

/// Banner and size line alone; of a pipe they are then gone. Errors as read_matrix_market.
MatrixMarketHeader read_matrix_market_header(const std::string& path);

/// The matrix of a coordinate or array file; zeros of an array are not stored, pattern entries are
/// 1, real Hermitian is symmetric. Memory follows the entries found, not those promised. Throws
/// InvalidMatrix with file, line, text and cure for whatever does not follow the format, entries
/// in both triangles of a symmetric or skew-symmetric matrix (the upper one alone, against the format,
/// is read as what it is), a value that T cannot hold, a complex file
/// for real T; RuntimeError when the file cannot be opened or read.
template <class T>
SparseMatrix<T> read_matrix_market(const std::string& path, InputReport* report = nullptr,
                                   const ReadOptions& options = {});

/// Right-hand sides: rows x cols from an array or coordinate file; repeated coordinates are summed.
template <class T>
DenseMatrix<T> read_dense(const std::string& path, const ReadOptions& options = {});

/// A real or a complex block, R = float or double.
template <class R>
using AnyDense = std::variant<DenseMatrix<R>, DenseMatrix<std::complex<R>>>;

/// Reads as read_dense does, but the file decides whether the block is complex. header, unless null: banner and size line,
/// also where what follows is refused.
template <class R>
AnyDense<R> read_any_dense(const std::string& path, const ReadOptions& options = {},
                           MatrixMarketHeader* header = nullptr);

/// Coordinate file of the stored entries, values in the shortest form that reads back bit by bit.
/// A path ending in .gz is compressed, "-" is standard output. Comments become lines starting with
/// "% ". Written as OutputFile does: a file that is not complete does not appear. Throws RuntimeError.
template <class T>
void write_matrix_market(const std::string& path, const SparseMatrix<T>& a,
                         const std::vector<std::string>& comments = {});

/// Array file of a rows x cols column-major block with leading dimension ld >= max(1, rows).
template <class T>
void write_matrix_market(const std::string& path, index_t rows, index_t cols, const T* value, count_t ld,
                         const std::vector<std::string>& comments = {});

}  // namespace frond
