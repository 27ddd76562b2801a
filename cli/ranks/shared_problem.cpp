// SPDX-License-Identifier: BSD-3-Clause
#include "shared_problem.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "run/run_problem.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>
#include <sstream>

namespace frond::cli {
namespace {

/// What the ranks without entries must know, as text.
struct Shape {
    count_t rows = 0;
    std::string scalar;
    int symmetry = 0;
    std::array<index_t, 3> grid{0, 0, 0};
    index_t dofs = 1;
};

std::string text_of(const Problem& problem) {
    const MatrixFacts& m = problem.facts;
    return fmt::format("{} {} {} {} {} {} {}", m.rows, m.scalar, static_cast<int>(m.symmetry), problem.grid[0],
                       problem.grid[1], problem.grid[2], problem.grid_dofs);
}

Shape shape_of(const std::string& text) {
    Shape shape;
    std::istringstream words(text);
    words >> shape.rows >> shape.scalar >> shape.symmetry >> shape.grid[0] >> shape.grid[1] >> shape.grid[2] >>
        shape.dofs;
    return shape;
}

template <class T>
SomeMatrix without_entries(const Shape& shape) {
    SparseMatrix<T> a;
    a.pattern.rows = a.pattern.cols = static_cast<index_t>(shape.rows);
    a.pattern.begin.assign(static_cast<std::size_t>(shape.rows) + 1, 0);
    a.symmetry = static_cast<Symmetry>(shape.symmetry);
    return std::make_shared<const SparseMatrix<T>>(std::move(a));
}

SomeMatrix matrix_without_entries(const Shape& shape) {
    if (shape.scalar == "float") return without_entries<float>(shape);
    if (shape.scalar == "complex<float>") return without_entries<std::complex<float>>(shape);
    if (shape.scalar == "double") return without_entries<double>(shape);
    return without_entries<std::complex<double>>(shape);
}

void expect_shape(const MatrixFacts& mine, const Shape& of_rank_0) {
    if (mine.scalar != of_rank_0.scalar)
        throw InvalidMatrix(fmt::format("{}: its scalar is {}, but that of rank 0's file is {}; give files of one kind",
                                        mine.name, mine.scalar, of_rank_0.scalar));
}

}  // namespace

Problem load_on_ranks(const Session& session, const CommandLine& line, bool by_rank) {
    const bool leads = session.info().mpi_rank == 0;
    Problem problem;
    together(session, [&] {
        if (leads || by_rank) problem = load_with_status(line.matrix, line.precision);
    });
    const Shape shape = shape_of(session.text_of_rank_0(text_of(problem)));
    together(session, [&] {
        if (by_rank) return expect_shape(problem.facts, shape);
        if (leads) return;
        problem.facts.name = line.matrix;
        problem.facts.rows = shape.rows;
        problem.facts.scalar = shape.scalar;
        problem.grid = shape.grid;
        problem.grid_dofs = shape.dofs;
        problem.matrix = matrix_without_entries(shape);
    });
    return problem;
}

index_t solution_rows(const CommandLine& line, const SessionInfo& session, index_t n, index_t rhs_rows) {
    if (line.solution_by_rank == line.rhs_by_rank) return rhs_rows;
    if (!line.solution_by_rank) return session.mpi_rank == 0 ? n : 0;
    const auto first = [&](count_t rank) { return static_cast<index_t>(n * rank / session.mpi_ranks); };
    return first(session.mpi_rank + 1) - first(session.mpi_rank);
}

template <class T>
void share_shape(const Session& session, RightHandSides<T>& rhs) {
    const std::string mine = fmt::format("{} {}", rhs.count, rhs.complex_pairs ? 1 : 0),
                      of_rank_0 = session.text_of_rank_0(mine);
    together(session, [&] {
        if (!rhs.b.empty() && mine != of_rank_0)
            throw InvalidArgument(
                "the right-hand sides of this rank have another number of columns, or another scalar, "
                "than those of rank 0; give files of one kind");
    });
    std::istringstream words(of_rank_0);
    words >> rhs.count >> rhs.complex_pairs;
}

#define FROND_INSTANTIATE(T) template void share_shape<T>(const Session&, RightHandSides<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

namespace {

constexpr std::size_t most_ranks_listed = 16;

std::string bytes_text(count_t bytes) { return text_of_bytes(static_cast<double>(bytes)); }

}  // namespace

void add_work_of_ranks(Table& table, const std::vector<RankReport>& ranks, bool distributed) {
    if (ranks.empty()) return;
    table.section("ranks", counted(static_cast<count_t>(ranks.size()), "process", "processes"),
                  distributed ? "all analyse, factor and solve; none has the whole matrix"
                              : "rank 0 analyses; all factor and solve, where that pays");
    for (std::size_t r = 0; r < ranks.size() && r < most_ranks_listed; ++r)
        table.row(fmt::format("rank {}", ranks[r].rank), text_of_flops(ranks[r].flops),
                  fmt::format("{} factors, {} peak; out {} in {}, in {} in {}, {} idle",
                              bytes_text(ranks[r].factor_bytes), bytes_text(ranks[r].peak_bytes),
                              bytes_text(ranks[r].bytes_sent), counted(ranks[r].messages_sent, "message"),
                              bytes_text(ranks[r].bytes_received), counted(ranks[r].messages_received, "message"),
                              text_of_seconds(ranks[r].idle_seconds)));
    if (ranks.size() > most_ranks_listed) table.row("others", "see --json");
}

Json ranks_json(const std::vector<RankReport>& ranks) {
    Json all = Json::array();
    for (const RankReport& r : ranks)
        all.push_back({{"rank", r.rank},
                       {"analysis_bytes", r.analysis_bytes},
                       {"factor_bytes", r.factor_bytes},
                       {"peak_bytes", r.peak_bytes},
                       {"peak_bytes_predicted", r.peak_bytes_predicted},
                       {"flops", number_json(r.flops)},
                       {"seconds", number_json(r.seconds)},
                       {"bytes_sent", r.bytes_sent},
                       {"bytes_received", r.bytes_received},
                       {"messages_sent", r.messages_sent},
                       {"messages_received", r.messages_received},
                       {"factor_bytes_sent", r.factor_bytes_sent},
                       {"factor_bytes_received", r.factor_bytes_received},
                       {"factor_messages_sent", r.factor_messages_sent},
                       {"factor_messages_received", r.factor_messages_received},
                       {"factor_bytes_from_devices", r.factor_bytes_from_devices},
                       {"idle_seconds", number_json(r.idle_seconds)}});
    return all;
}

}  // namespace frond::cli
