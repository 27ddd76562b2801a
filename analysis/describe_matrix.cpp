// SPDX-License-Identifier: BSD-3-Clause
#include "analyze_parts.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/definiteness.hpp"
#include "frond/matrix/operations.hpp"

#include <string>

namespace frond {

namespace {

/// Matrices of make_sparse and of the readers have this form; one that was put together by hand may not.
bool is_canonical(const Pattern& pattern, bool lower_only) {
    const auto entries = static_cast<count_t>(pattern.row.size());
    if (pattern.begin.empty()) return pattern.cols == 0 && entries == 0;
    if (static_cast<count_t>(pattern.begin.size()) != count_t{pattern.cols} + 1) return false;
    if (pattern.begin.front() != 0 || pattern.begin.back() != entries) return false;
    for (index_t j = 0; j < pattern.cols; ++j) {
        if (pattern.begin[j] > pattern.begin[j + 1] || pattern.begin[j + 1] > entries) return false;
        index_t above = lower_only ? j - 1 : -1;
        for (count_t e = pattern.begin[j]; e < pattern.begin[j + 1]; ++e) {
            if (pattern.row[e] <= above || pattern.row[e] >= pattern.rows) return false;
            above = pattern.row[e];
        }
    }
    return true;
}

template <class T>
void check_arrays(const SparseMatrix<T>& a) {
    FROND_EXPECTS(static_cast<count_t>(a.value.size()) == a.entries() &&
                      static_cast<count_t>(a.pattern.row.size()) == a.entries(),
                  "the matrix has " + std::to_string(a.value.size()) + " values and " +
                      std::to_string(a.pattern.row.size()) + " row numbers for " + std::to_string(a.entries()) +
                      " entries; make it by make_sparse");
    FROND_EXPECTS(is_canonical(a.pattern, a.symmetry != Symmetry::general),
                  "the pattern of the matrix is not what make_sparse makes: in each column rows that ascend, of a "
                  "symmetric matrix those of the lower triangle; make it by make_sparse");
}

/// Square roots of the diagonal, 0 where it is not real and positive.
template <class T>
std::vector<double> diagonal_roots(const SparseMatrix<T>& a) {
    std::vector<double> root(static_cast<std::size_t>(a.cols()), 0.0);
    for (index_t j = 0; j < a.cols(); ++j) {
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            if (a.pattern.row[e] == j) root[j] = root_of_diagonal(a.value[e]);
        }
    }
    return root;
}

template <class T>
Definiteness definiteness_of(const SparseMatrix<T>& a) {
    const std::vector<double> root = diagonal_roots(a);
    for (double r : root) {
        if (r == 0) return {};
    }
    for (index_t j = 0; j < a.cols(); ++j) {
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            const index_t i = a.pattern.row[e];
            if (i != j && minor_fails(a.value[e], root[i], root[j])) return {true, false};
        }
    }
    return {true, true};
}

const char* cure_for(Factorization kind) {
    return kind == Factorization::ldlh ? "declare it Hermitian, or ask for ldlt or lu"
                                       : "declare it symmetric (Hermitian), or ask for lu";
}

}  // namespace

void check_kind(Factorization kind, Symmetry symmetry, bool complex_scalar) {
    const bool hermitian = symmetry == Symmetry::hermitian || !complex_scalar;
    const auto refuse = [](const std::string& why) { throw InvalidMatrix(why); };
    if (kind == Factorization::lu) return;
    if (symmetry == Symmetry::general) {
        refuse(std::string("a general matrix has no symmetric factorization; ") + cure_for(kind));
    }
    if (kind == Factorization::ldlt && complex_scalar && symmetry == Symmetry::hermitian) {
        refuse("a complex Hermitian matrix has no L D L^T; ask for ldlh or lu");
    }
    if (kind != Factorization::ldlt && !hermitian) {
        refuse("a complex symmetric matrix has no L L^H and no L D L^H; ask for ldlt or lu");
    }
}

Factorization choose_kind(Symmetry symmetry, bool complex_scalar, bool definite_possible) {
    if (symmetry == Symmetry::general) return Factorization::lu;
    if (symmetry == Symmetry::symmetric && complex_scalar) return Factorization::ldlt;
    if (definite_possible) return Factorization::llt;
    return complex_scalar ? Factorization::ldlh : Factorization::ldlt;
}

Factorization kind_for(Factorization asked, Symmetry symmetry, bool complex_scalar, bool definite_possible) {
    Factorization kind = asked;
    if (asked == Factorization::automatic)
        kind = choose_kind(symmetry, complex_scalar, definite_possible);
    else
        check_kind(asked, symmetry, complex_scalar);
    return !complex_scalar && kind == Factorization::ldlh ? Factorization::ldlt : kind;
}

template <class T>
void describe_matrix(const SparseMatrix<T>& a, const AnalysisOptions& options, Analysis& analysis) {
    if (a.rows() != a.cols()) {
        throw InvalidMatrix("the matrix is " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                            "; only square systems are solved");
    }
    if (a.symmetry == Symmetry::skew_symmetric) {
        throw InvalidMatrix("a skew-symmetric matrix must be expanded to general; make_sparse does");
    }
    check_arrays(a);
    constexpr bool complex_scalar = is_complex<T>;
    const Definiteness definiteness = definiteness_of(a);
    analysis.order = a.cols();
    analysis.entries = a.entries();
    analysis.symmetry = a.symmetry;
    analysis.positive_diagonal = definiteness.positive_diagonal;
    analysis.pattern_hash = hash_pattern(a.pattern);
    analysis.factorization = kind_for(options.factorization, a.symmetry, complex_scalar, definiteness.possible);
    if (options.ordering == OrderingMethod::ptscotch) expect_distributed_ordering();  // before any work
}

#define FROND_INSTANTIATE(T) \
    template void describe_matrix<T>(const SparseMatrix<T>&, const AnalysisOptions&, Analysis&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
