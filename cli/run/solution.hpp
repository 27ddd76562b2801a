// SPDX-License-Identifier: BSD-3-Clause
// Solutions as a run computes, compares and writes them.
#pragma once

#include "frond/base/types.hpp"
#include "frond/matrix/matrix_market.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace frond::cli {

template <class T>
struct Solution {
    index_t rows = 0;  // on this rank
    index_t count = 0;
    std::vector<T> x;
    bool complex_pairs = false;  // as of the right-hand sides
};

/// max |x - known| / max |known|
template <class T>
double forward_error(const std::vector<T>& x, const std::vector<T>& known) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        difference = std::max(difference, static_cast<double>(std::abs(x[i] - known[i])));
        size = std::max(size, static_cast<double>(std::abs(known[i])));
    }
    return size > 0 ? difference / size : difference;
}

/// X of complex right-hand sides from its parts: x_j = x_2j + i x_2j+1.
template <class R>
Solution<std::complex<R>> with_joined_parts(const Solution<R>& parts) {
    Solution<std::complex<R>> joined{parts.rows, parts.count / 2, {}};
    const std::size_t rows = static_cast<std::size_t>(parts.rows);
    joined.x.resize(parts.x.size() / 2);
    for (std::size_t j = 0; j < static_cast<std::size_t>(joined.count); ++j)
        for (std::size_t i = 0; i < rows; ++i)
            joined.x[j * rows + i] = {parts.x[2 * j * rows + i], parts.x[(2 * j + 1) * rows + i]};
    return joined;
}

/// Writes the solution as a Matrix Market array; file: empty: not at all.
template <class T>
void write_solution(const std::string& file, const Solution<T>& solution) {
    if (file.empty()) return;
    if constexpr (!is_complex<T>)
        if (solution.complex_pairs) return write_solution(file, with_joined_parts(solution));
    write_matrix_market(file, solution.rows, solution.count, solution.x.data(), std::max<count_t>(1, solution.rows),
                        {"solution by frond"});
}

}  // namespace frond::cli
