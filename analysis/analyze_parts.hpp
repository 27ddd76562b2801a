// SPDX-License-Identifier: BSD-3-Clause
// Parts of analyze(). Private to analysis/.
#pragma once

#include "frond/analysis/steps.hpp"

#include <chrono>
#include <vector>

namespace frond {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Checks that a can be factorized as asked, and fills what the analysis says of the matrix: order,
/// entries, symmetry, factorization, positive_diagonal, pattern_hash.
template <class T>
void describe_matrix(const SparseMatrix<T>& a, const AnalysisOptions& options, Analysis& analysis);

/// @throws InvalidMatrix  where a matrix of this symmetry has no such factorization
void check_kind(Factorization kind, Symmetry symmetry, bool complex_scalar);
/// What `automatic` stands for: L L^H where nothing speaks against it; the factorization finds out, and falls back to
/// L D L^H.
Factorization choose_kind(Symmetry symmetry, bool complex_scalar, bool definite_possible);

/// What a matching changes. Without one: partner and column_of_row empty.
struct MatchedMatrix {
    std::vector<index_t> partner;  // symmetric kinds: as symmetric_pairs returns it
    std::vector<index_t> column_of_row;  // LU: B = A Q, column r of B is column column_of_row[r] of A
    Pattern full_pattern;  // LU: all entries of A when a stores one triangle
    Scaling scaling;  // from the duals of the matching
};

/// Matches when the options or the matrix ask for it; fills the analysis' matching, structural rank
/// and their report.
template <class T>
MatchedMatrix match_matrix(const SparseMatrix<T>& a, const AnalysisOptions& options, Analysis& analysis);

/// Graph of B + B^T, B = A Q.
Pattern graph_to_order(const Pattern& a, const MatchedMatrix& matched);

/// Elimination order of the vertices of the graph with its tree; the report goes into the analysis.
CountedTree order_vertices(const Pattern& graph, const MatchedMatrix& matched, const AnalysisOptions& options,
                           Analysis& analysis);

/// row_order, column_order and pair_with_next from the final elimination order.
void set_permutations(const std::vector<index_t>& order, const MatchedMatrix& matched, Analysis& analysis);

}  // namespace frond
