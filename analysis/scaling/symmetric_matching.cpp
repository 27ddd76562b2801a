// SPDX-License-Identifier: BSD-3-Clause
// Duff & Pralet 2005, "Strategies for scaling and pivoting for sparse symmetric indefinite
// problems", SIAM J. Matrix Anal. Appl. 27, section 2.
#include "frond/analysis/steps.hpp"

#include <cmath>
#include <utility>

namespace frond {
namespace {

/// A(I, I) for the rows I that a matching of largest cardinality covers: structurally nonsingular.
struct CoveredPart {
    std::vector<index_t> vertex;  // I, ascending
    std::vector<index_t> position;  // [n] position in I, or -1
    Pattern pattern;
    std::vector<double> magnitude;
};

void list_covered_rows(CoveredPart& part, const Matching& matching) {
    part.position.assign(matching.row_of_column.size(), -1);
    for (index_t i : matching.row_of_column)
        if (i >= 0) part.position[i] = 0;
    for (std::size_t i = 0; i < part.position.size(); ++i) {
        if (part.position[i] < 0) continue;
        part.position[i] = static_cast<index_t>(part.vertex.size());
        part.vertex.push_back(static_cast<index_t>(i));
    }
}

CoveredPart covered_part(const Pattern& a, const std::vector<double>& magnitude, const Matching& matching) {
    CoveredPart part;
    list_covered_rows(part, matching);
    part.pattern.rows = part.pattern.cols = static_cast<index_t>(part.vertex.size());
    part.pattern.begin.push_back(0);
    for (index_t j : part.vertex) {
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
            if (part.position[a.row[e]] < 0) continue;
            part.pattern.row.push_back(part.position[a.row[e]]);
            part.magnitude.push_back(magnitude[e]);
        }
        part.pattern.begin.push_back(static_cast<count_t>(part.pattern.row.size()));
    }
    return part;
}

void make_scales_symmetric(Matching& matching) {
    matching.row_scale = symmetric_scale(matching);
    matching.column_scale = matching.row_scale;
}

/// Rows outside I have entries in columns of I only: s_i = 1 / max_k |a_ik| s_k, 1 if there is
/// none.
double scale_of_uncovered(const Pattern& a, const std::vector<double>& magnitude, const std::vector<double>& scale,
                          index_t i) {
    double most = 0;
    for (count_t e = a.begin[i]; e < a.begin[i + 1]; ++e) most = std::fmax(most, magnitude[e] * scale[a.row[e]]);
    const double inverse = 1 / most;
    return most > 0 && std::isnormal(inverse) ? inverse : 1.0;
}

/// The matching of A(I, I), renumbered, as a matching of A.
Matching extend(const Pattern& a, const std::vector<double>& magnitude, const CoveredPart& part,
                const Matching& inner) {
    Matching result;
    const std::size_t n = part.position.size();
    result.structural_rank = inner.structural_rank;
    result.row_of_column.assign(n, -1);
    result.row_scale.assign(n, 0.0);
    for (std::size_t k = 0; k < part.vertex.size(); ++k) {
        const index_t row = inner.row_of_column[k];
        if (row >= 0) result.row_of_column[part.vertex[k]] = part.vertex[row];
        result.row_scale[part.vertex[k]] = inner.row_scale[k];
    }
    const std::vector<double> covered = result.row_scale;
    for (std::size_t i = 0; i < n; ++i)
        if (part.position[i] < 0)
            result.row_scale[i] = scale_of_uncovered(a, magnitude, covered, static_cast<index_t>(i));
    result.column_scale = result.row_scale;
    return result;
}

}  // namespace

std::vector<double> symmetric_scale(const Matching& matching) {
    std::vector<double> scale(matching.row_scale);
    for (std::size_t i = 0; i < scale.size(); ++i) {
        const double r = matching.row_scale[i], c = matching.column_scale[i];
        if (r != c) scale[i] = std::sqrt(r) * std::sqrt(c);  // r c may overflow
    }
    return scale;
}

Matching symmetric_maximum_product_matching(const Pattern& a, const std::vector<double>& magnitude) {
    Matching matching = maximum_product_matching(a, magnitude);
    make_scales_symmetric(matching);
    if (matching.structural_rank == a.cols) return matching;
    const CoveredPart part = covered_part(a, magnitude, matching);
    Matching inner = maximum_product_matching(part.pattern, part.magnitude);
    make_scales_symmetric(inner);
    return extend(a, magnitude, part, inner);
}

}  // namespace frond
