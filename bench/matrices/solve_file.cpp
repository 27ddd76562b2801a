// SPDX-License-Identifier: BSD-3-Clause
#include "solve_file.hpp"

#include "frond/frond.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "frond/matrix/operations.hpp"

namespace frond::bench {
namespace {

using nlohmann::json;

const char* name_of(Factorization kind) {
    switch (kind) {
        case Factorization::llt: return "LL^T";
        case Factorization::ldlt: return "LDL^T";
        case Factorization::ldlh: return "LDL^H";
        default: return "LU";
    }
}

template <class T>
void solve(const SparseMatrix<T>& a, json& r) {
    const auto n = static_cast<std::size_t>(a.rows());
    std::vector<T> x(n), b(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = T(1) + T(static_cast<double>(i % 7)) / T(8);
    multiply(a, Operation::none, 1, x.data(), a.rows(), b.data(), a.rows());
    Solver<T> solver{Session()};
    const double analysis_seconds = solver.analyze(a).seconds;
    const FactorReport& f = solver.factor(a);
    r["analysis_seconds"] = analysis_seconds;
    r["factor_seconds"] = f.seconds;
    r["kind"] = name_of(f.factorization);
    r["status"] = f.status == FactorStatus::success      ? "success"
                  : f.status == FactorStatus::perturbed  ? "perturbed"
                  : f.status == FactorStatus::singular   ? "singular"
                                                         : "not_positive_definite";
    r["perturbed"] = f.perturbed;
    r["structural_rank"] = solver.analysis()->report.structural_rank;
    if (f.status == FactorStatus::not_positive_definite) return;
    const SolveReport s = solver.solve({b.data(), a.rows(), 1, 0}, {x.data(), a.rows(), 1, 0});
    r["solve_seconds"] = s.seconds;
    r["refinement_steps"] = s.refinement_steps;
    r["krylov_iterations"] = s.krylov_iterations;
    r["backward_error"] = s.backward_error;
    r["componentwise_backward_error"] = s.componentwise_backward_error;
}

}  // namespace

json solve_file(const std::string& path) {
    json r{{"name", path.substr(path.find_last_of('/') + 1)}};
    try {
        std::visit(
            [&](const auto& a) {
                r["rows"] = a.rows();
                r["entries"] = entries_full(a.pattern, a.symmetry);
                r["not_square"] = a.rows() != a.cols();
                if (a.rows() == a.cols()) solve(a, r);
            },
            read_matrix(path));
    } catch (const std::exception& e) {
        r["error"] = e.what();
    }
    return r;
}

std::string verdict(const json& r, double bound, double largest_entries) {
    if (r.contains("error")) return "FAILED";
    if (r["not_square"].get<bool>() || r["entries"].get<double>() > largest_entries) return "skipped";
    const bool has_error = r.contains("componentwise_backward_error") && r["componentwise_backward_error"].is_number();
    if (has_error && r["componentwise_backward_error"].get<double>() <= bound) return "solved";
    return r["status"] == "success" ? "WRONG" : "reported";
}

}  // namespace frond::bench
