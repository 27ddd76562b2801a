// SPDX-License-Identifier: BSD-3-Clause
// The rows of a matrix as solves on a device read them, made in several chunks on the workers: as by one pass.
#include "factors/state_of.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "session/parallel_for.hpp"
#include "shared_session.hpp"
#include "substitution/system_by_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

struct Entry {
    index_t column = 0;
    count_t source = 0;
};

/// One row after the other, in the order of the matrix.
std::vector<std::vector<Entry>> rows_one_by_one(const SparseMatrix<double>& a, const Analysis& analysis,
                                                bool transposed) {
    std::vector<index_t> row(analysis.row_order.size()), column(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
        row[static_cast<std::size_t>(analysis.row_order[k])] = static_cast<index_t>(k);
        column[static_cast<std::size_t>(analysis.column_order[k])] = static_cast<index_t>(k);
    }
    std::vector<std::vector<Entry>> rows(row.size());
    const auto add = [&](index_t i, index_t j, count_t source) {
        const index_t r = row[static_cast<std::size_t>(i)], c = column[static_cast<std::size_t>(j)];
        rows[static_cast<std::size_t>(transposed ? c : r)].push_back({transposed ? r : c, source});
    };
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e) {
            const index_t i = a.pattern.row[static_cast<std::size_t>(e)];
            add(i, j, e);
            if (a.symmetry != Symmetry::general && i != j) add(j, i, ~e);
        }
    return rows;
}

void check_rows(const SparseMatrix<double>& a, bool transposed, index_t least_chunks) {
    const AnalysisResult analysed = analyze(a, {});
    const detail::JobGuard guard(*detail::state_of(shared_session()));
    count_t most_chunks = 0;
    const ParallelFor on_workers = detail::parallel_for_on(*detail::state_of(shared_session()), "pattern");
    const auto made = detail::system_pattern(a.pattern, a.symmetry, *analysed.analysis, transposed,
                                             [&](count_t chunks, const std::function<void(count_t)>& body) {
                                                 most_chunks = std::max(most_chunks, chunks);
                                                 on_workers(chunks, body);
                                             });
    CHECK(most_chunks >= least_chunks);
    const auto expected = rows_one_by_one(a, *analysed.analysis, transposed);
    REQUIRE(made->row_begin.size() == expected.size() + 1);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const count_t begin = made->row_begin[i];
        REQUIRE(made->row_begin[i + 1] - begin == static_cast<count_t>(expected[i].size()));
        for (std::size_t k = 0; k < expected[i].size(); ++k) {
            REQUIRE(made->column[static_cast<std::size_t>(begin) + k] == expected[i][k].column);
            REQUIRE(made->source[static_cast<std::size_t>(begin) + k] == expected[i][k].source);
        }
    }
}

}  // namespace

TEST_CASE("rows of a matrix for solves on a device, made in chunks") {
    for (const bool transposed : {false, true}) {
        CAPTURE(transposed);
        check_rows(poisson3d<double>(40).matrix, transposed, 3);
        check_rows(convdiff3d<double>(30).matrix, transposed, 2);
        check_rows(convdiff3d<double>(3).matrix, transposed, 1);
    }
    check_rows(poisson3d<double>(1).matrix, false, 1);
}
