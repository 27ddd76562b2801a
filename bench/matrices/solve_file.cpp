// SPDX-License-Identifier: BSD-3-Clause
#include "solve_file.hpp"

#include "expected_facts.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "frond/matrix/operations.hpp"
#include "frond/option_table.hpp"
#include "process_memory.hpp"

#include <cmath>
#include <limits>

namespace frond::bench {
namespace {

using nlohmann::json;

const char* name_of(Factorization kind) {
    switch (kind) {
        case Factorization::llt:
            return "LL^T";
        case Factorization::ldlt:
            return "LDL^T";
        case Factorization::ldlh:
            return "LDL^H";
        default:
            return "LU";
    }
}

void add_factorization(const Analysis& analysis, const FactorReport& f, json& r) {
    r["analysis_seconds"] = analysis.report.seconds;
    r["structural_rank"] = analysis.report.structural_rank;
    r["predicted_entries"] = analysis.cost.factor_entries;
    r["factor_seconds"] = f.seconds;
    r["kind"] = name_of(f.factorization);
    r["pivoting"] = to_string(f.pivoting);
    r["status"] = to_string(f.status);
    r["perturbed"] = f.pivots.perturbed;
    r["delayed"] = f.pivots.delayed;
    r["second_pass"] = f.pivots.second_pass;
    r["two_by_two"] = f.pivots.two_by_two;
    r["null_pivots"] = f.status == FactorStatus::singular ? f.pivots.small_columns.size() : 0;
    r["largest_l"] = f.pivots.largest_l;
    r["factor_entries"] = f.memory.factor_entries;
    r["peak_bytes"] = f.memory.peak_bytes;
    r["peak_bytes_predicted"] = f.memory.peak_bytes_predicted;
    if (f.pivots.inertia)
        r["inertia"] = {f.pivots.inertia->negative, f.pivots.inertia->zero, f.pivots.inertia->positive};
}

void add_solve(const SolveReport& s, json& r) {
    r["solve_status"] = to_string(s.status);
    r["solve_seconds"] = s.seconds;
    r["refinement_steps"] = s.refinement_steps;
    r["krylov_iterations"] = s.krylov_iterations;
    r["escalated"] = s.escalated;
    r["backward_error"] = s.backward_error;
    r["componentwise_backward_error"] = s.componentwise_backward_error;
}

/// Columns without a nonzero on the diagonal.
template <class T>
index_t zero_diagonals(const SparseMatrix<T>& a) {
    index_t zeros = 0;
    for (index_t j = 0; j < a.cols(); ++j) {
        bool found = false;
        for (auto e = static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)]);
             e < static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j) + 1]); ++e)
            found = found || (a.pattern.row[e] == j && a.value[e] != T(0));
        zeros += !found;
    }
    return zeros;
}

template <class T>
void solve(const SparseMatrix<T>& a, const Options& options, json& r) {
    const auto n = static_cast<std::size_t>(a.rows());
    std::vector<T> x(n), b(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = T(1) + T(static_cast<double>(i % 7)) / T(8);
    multiply(a, options.solve.operation, 1, x.data(), a.rows(), b.data(), a.rows());
    const double before = resident_bytes();
    Solver<T> solver{Session(options.session), options.analysis};
    solver.analyze(a);
    restart_peak();
    const FactorReport& f = solver.factor(a, options.factor);
    r["process_peak_bytes"] = peak_resident_bytes() - before;
    add_factorization(*solver.analysis(), f, r);
    if (!can_solve_with(f.status)) return;
    add_solve(solver.solve({b.data(), a.rows(), 1, 0}, {x.data(), a.rows(), 1, 0}, options.solve), r);
    r["reciprocal_condition"] = condition_estimate(solver.factors()).reciprocal_condition;
}

}  // namespace

json solve_file(const std::string& path, const std::string& options) {
    json r{{"name", path.substr(path.find_last_of('/') + 1)}};
    try {
        Options all;
        set_options(all, options);
        std::visit(
            [&]<class T>(const SparseMatrix<T>& a) {
                r["rows"] = a.rows();
                r["entries"] = entries_full(a.pattern, a.symmetry);
                r["not_square"] = a.rows() != a.cols();
                r["not_built"] = !is_built<T>();  // FROND_SCALARS
                if (a.rows() != a.cols()) return;
                r["zero_diagonals"] = zero_diagonals(a);
                if constexpr (is_built<T>()) solve(a, all, r);
                if constexpr (std::is_same_v<T, double>) add_expected_facts(a, r);
            },
            read_matrix(path));
    } catch (const std::exception& e) {
        r["error"] = e.what();
    }
    return r;
}

double number(const json& r, const char* key) {
    return r.contains(key) && r[key].is_number() ? r[key].get<double>() : std::numeric_limits<double>::infinity();
}

bool numerically_singular(const json& r) {
    const double smallest = 10 * number(r, "rows") * std::numeric_limits<double>::epsilon();
    const double reciprocal = r.contains("reciprocal_condition") ? number(r, "reciprocal_condition") : 0;
    return !std::isfinite(reciprocal) || reciprocal <= smallest;
}

/// What the library said itself, whatever rcond says.
bool was_reported(const json& r) {
    return r["status"] != to_string(FactorStatus::success) || r["solve_status"] != to_string(SolveStatus::converged);
}

std::string verdict(const json& r, const Bounds& bounds) {
    if (r.contains("error")) return "FAILED";
    if (r["not_square"].get<bool>() || r["not_built"].get<bool>() ||
        r["entries"].get<double>() > bounds.largest_entries)
        return "skipped";
    if (facts_differ(r)) return "WRONG";
    // The componentwise error has relaxed denominators where |A| |x| + |b| vanishes: the normwise
    // one counts, too.
    const bool solved = number(r, "componentwise_backward_error") <= bounds.componentwise &&
                        number(r, "backward_error") <= bounds.normwise;
    return solved ? "solved" : was_reported(r) ? "reported" : "WRONG";
}

}  // namespace frond::bench
