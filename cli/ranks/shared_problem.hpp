// SPDX-License-Identifier: BSD-3-Clause
// What several processes did, for the table and the JSON object.
#pragma once

#include "frond/reports.hpp"
#include "frond/session.hpp"
#include "run/problem.hpp"
#include "run/run_json.hpp"
#include "terminal/table.hpp"

#include <exception>
#include <utility>
#include <vector>

namespace frond::cli {

/// body() on every rank of the session, with nothing in it that the ranks do together; what one rank throws, all do.
template <class Body>
void together(const Session& session, Body&& body) {
    std::exception_ptr error;
    try {
        std::forward<Body>(body)();
    } catch (...) {
        error = std::current_exception();
    }
    session.throw_on_all_ranks(std::move(error));
}

/// The matrix on all ranks: rank 0 reads it, and the others have none of its entries; by_rank: each reads its file.
/// Collective. line: of this rank. @throws what load_problem throws; InvalidMatrix: files of other orders or scalars
Problem load_on_ranks(const Session& session, const CommandLine& line, bool by_rank);

/// Rows of X on this rank: as those of B, or where X alone is by rank, about equally many.
index_t solution_rows(const CommandLine& line, const SessionInfo& session, index_t n, index_t rhs_rows);

/// B on all ranks: rank 0 has all of it, or, by_rank, each rank has some rows. Collective.
/// count, complex_pairs := those of rank 0.
template <class T>
void share_shape(const Session& session, RightHandSides<T>& rhs);

/// distributed: of the analysis.
void add_work_of_ranks(Table& table, const std::vector<RankReport>& ranks, bool distributed);
Json ranks_json(const std::vector<RankReport>& ranks);

}  // namespace frond::cli
