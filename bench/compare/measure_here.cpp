// SPDX-License-Identifier: BSD-3-Clause
#include "load_matrix.hpp"
#include "measurement.hpp"
#include "process_memory.hpp"
#include "solve/backward_error.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

extern "C" void openblas_set_num_threads(int);

namespace frond::bench {
namespace {

using nlohmann::json;

template<class Call>
double seconds_of(Call call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
}

template<class T>
std::vector<T> right_hand_side(const SparseMatrix<T>& a) {
    std::vector<T> x(static_cast<std::size_t>(a.rows())), b(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = T(1) + T(static_cast<double>(i % 7)) / T(8);
    multiply(a, Operation::none, 1, x.data(), a.rows(), b.data(), a.rows());
    return b;
}

void add_facts(const SolverFacts& facts, double factor_seconds, json& result) {
    result["flops"] = facts.flops;
    result["gflops_per_second"] = facts.flops / factor_seconds * 1e-9;
    result["factor_entries"] = facts.factor_entries;
    if (facts.predicted_peak_bytes > 0) result["predicted_peak_bytes"] = facts.predicted_peak_bytes;
    if (facts.negative) result["negative"] = *facts.negative;
    result["remark"] = facts.remark;
}

/// Peaks are what the process grew to above `before`, what it held before the solver was made.
void time_steps(Peer& peer, int factorizations, double before, json& result) {
    result["analysis_seconds"] = seconds_of([&] { peer.analyze(); });
    result["analysis_peak_bytes"] = peak_resident_bytes() - before;
    restart_peak();
    std::vector<double> factor, solve;
    for (int i = 0; i < factorizations; ++i) factor.push_back(seconds_of([&] { peer.factor(); }));
    result["factor_peak_bytes"] = peak_resident_bytes() - before;
    for (int i = 0; i < 3; ++i) solve.push_back(seconds_of([&] { peer.solve(); }));
    result["factor_first_seconds"] = factor.front();
    if (factor.size() > 1) factor.erase(factor.begin());
    result["factor_seconds"] = median(factor);
    result["solve_seconds"] = median(solve);
    result["total_seconds"] =
        result["analysis_seconds"].get<double>() + median(factor) + median(solve);
    result["peak_bytes"] =
        std::max(peak_resident_bytes() - before, result["analysis_peak_bytes"].get<double>());
    add_facts(peer.facts(), median(factor), result);
}

template<class T>
void measure_matrix(const RunRequest& request, const PeerEntry& entry, const SparseMatrix<T>& a,
                    json& result) {
    if (a.rows() != a.cols()) throw std::runtime_error("the matrix is not square");
    const std::vector<T> b = right_hand_side(a);
    std::vector<T> x(b.size());
    const double before = resident_bytes();
    restart_peak();
    const auto peer = entry.make(AnyProblem(Problem<T>{a, request.mode, b, x, request.threads}));
    if (peer == nullptr) throw std::runtime_error("not for this mode or scalar");
    time_steps(*peer, request.factorizations, before, result);
    const LinearSystem<T> system(a, Operation::none);
    std::vector<T> r(b.size());
    const index_t n = a.rows();
    const auto errors =
        backward_errors<T>(system, {x.data(), n, 1, n}, {b.data(), n, 1, n}, {r.data(), n, 1, n});
    result["backward_error"] = errors[0].normwise;
    result["componentwise_backward_error"] = errors[0].componentwise;
}

} // namespace

json measure_here(const RunRequest& request) {
    json result{{"solver", request.solver},
                {"matrix", request.matrix},
                {"mode", to_string(request.mode)},
                {"threads", request.threads}};
    try {
        const auto all = peers();
        const auto entry = std::find_if(
            all.begin(), all.end(), [&](const PeerEntry& p) { return request.solver == p.name; });
        if (entry == all.end()) throw std::runtime_error("this build has no such solver");
        result["version"] = entry->version;
        const AnyMatrix matrix = load_matrix(request.matrix);
        openblas_set_num_threads(request.threads);
        std::visit(
            [&](const auto& a) {
                result["rows"] = a.rows();
                result["entries"] = entries_full(a.pattern, a.symmetry);
                measure_matrix(request, *entry, a, result);
            },
            matrix);
    } catch (const std::exception& e) {
        result["error"] = e.what();
    }
    return result;
}

const char* to_string(Mode mode) {
    return mode == Mode::definite ? "definite" : mode == Mode::symmetric ? "symmetric" : "general";
}

Mode mode_from_string(const std::string& text) {
    for (const Mode m : {Mode::definite, Mode::symmetric, Mode::general})
        if (text == to_string(m)) return m;
    throw std::runtime_error("mode '" + text + "': definite, symmetric or general");
}

Mode natural_mode(const std::string& name) {
    return std::visit(
        [](const auto& a) {
            if (a.symmetry == Symmetry::general) return Mode::general;
            return may_be_definite(a) ? Mode::definite : Mode::symmetric;
        },
        load_matrix(name));
}

} // namespace frond::bench
