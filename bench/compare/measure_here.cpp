// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "load_matrix.hpp"
#include "measurement.hpp"
#include "process_memory.hpp"
#include "test_system.hpp"

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

void add_facts(const SolverFacts& facts, double factor_seconds, json& result) {
    result["flops"] = facts.flops;
    result["gflops_per_second"] = facts.flops / factor_seconds * 1e-9;
    result["factor_entries"] = facts.factor_entries;
    if (facts.predicted_peak_bytes > 0) result["predicted_peak_bytes"] = facts.predicted_peak_bytes;
    if (facts.device_bytes > 0) result["device_bytes"] = facts.device_bytes;
    if (facts.negative) result["negative"] = *facts.negative;
    result["remark"] = facts.remark;
}

/// key_seconds, returned: the median without the first of several, which is key_first_seconds.
template<class Call>
double time_step(const std::string& key, int times, json& result, Call call) {
    std::vector<double> seconds;
    for (int i = 0; i < times; ++i) seconds.push_back(seconds_of(call));
    result[key + "_first_seconds"] = seconds.front();
    if (seconds.size() > 1) seconds.erase(seconds.begin());
    const double typical = median(seconds);
    result[key + "_seconds"] = typical;
    return typical;
}

/// Peaks are what the process grew to above `before`, what it held before the solver was made.
void time_steps(Peer& peer, const RunRequest& request, double before, json& result) {
    double total = time_step("analysis", request.analyses, result, [&] { peer.analyze(); });
    result["analysis_peak_bytes"] = peak_resident_bytes() - before;
    restart_peak();
    const double factor =
        time_step("factor", request.factorizations, result, [&] { peer.factor(); });
    result["factor_peak_bytes"] = peak_resident_bytes() - before;
    total += factor + time_step("solve", request.factorizations, result, [&] { peer.solve(); });
    result["total_seconds"] = total;
    result["peak_bytes"] =
        std::max(peak_resident_bytes() - before, result["analysis_peak_bytes"].get<double>());
    add_facts(peer.facts(), factor, result);
}

const PeerEntry& find_entry(const std::vector<PeerEntry>& all, const std::string& name) {
    const auto entry =
        std::find_if(all.begin(), all.end(), [&](const PeerEntry& p) { return name == p.name; });
    if (entry == all.end()) throw std::runtime_error("this build has no solver " + name);
    return *entry;
}

std::unique_ptr<Peer> make_peer(const std::string& solver, const AnyProblem& problem) {
    const std::vector<PeerEntry> all = peers();
    const PeerEntry& entry = find_entry(all, solver_name(solver));
    std::visit(
        [&](const auto& p) {
            if (p.rhs > 1 && !entry.takes_many_rhs)
                throw std::runtime_error("takes one right-hand side only");
            if (!p.order.empty() && !entry.takes_order)
                throw std::runtime_error("is not given an order here");
            if (!p.settings.empty() && entry.settings == nullptr)
                throw std::runtime_error("takes no settings here");
        },
        problem);
    std::unique_ptr<Peer> peer = entry.make(problem);
    if (peer == nullptr) throw std::runtime_error("not for this mode or scalar");
    return peer;
}

std::string settings_of(const std::string& solver) {
    const std::size_t name = solver_name(solver).size();
    return name == solver.size() ? "" : solver.substr(name + 1);
}

/// Empty when every solver orders by itself; the one that orders for all does so with any settings.
template<class T>
std::vector<index_t> given_order(const RunRequest& request, const Problem<T>& problem) {
    if (request.order_of.empty() || solver_name(request.order_of) == solver_name(request.solver))
        return {};
    Problem<T> with_its_settings = problem;
    with_its_settings.settings = settings_of(request.order_of);
    const auto peer = make_peer(request.order_of, AnyProblem(with_its_settings));
    peer->analyze();
    std::vector<index_t> order = peer->order();
    if (order.empty()) throw std::runtime_error(request.order_of + " does not tell its order");
    return order;
}

/// A in the precision that the solver works in, and the same numbers in double precision.
template<class T, class Double>
void measure_system(const RunRequest& request, const SparseMatrix<T>& a,
                    const SparseMatrix<Double>& same, json& result) {
    if (a.rows() != a.cols()) throw std::runtime_error("the matrix is not square");
    const std::vector<T> b = converted<T>(right_hand_sides(same, request.rhs));
    std::vector<T> x(b.size());
    Problem<T> problem{a, request.mode, b, x, request.threads, request.rhs};
    problem.order = given_order(request, problem);
    problem.settings = settings_of(request.solver);
    const double before = resident_bytes();
    restart_peak();
    const auto peer = make_peer(request.solver, AnyProblem(problem));
    time_steps(*peer, request, before, result);
    const LargestErrors errors =
        largest_errors(same, converted<Double>(x), converted<Double>(b), request.rhs);
    result["backward_error"] = errors.normwise;
    result["componentwise_backward_error"] = errors.componentwise;
}

template<class T>
void measure_matrix(const RunRequest& request, const SparseMatrix<T>& a, json& result) {
    result["rows"] = a.rows();
    result["entries"] = entries_full(a.pattern, a.symmetry);
    if constexpr (!is_built<T>()) {
        throw std::runtime_error("this build leaves the scalar of the matrix out (FROND_SCALARS)");
    } else if (!request.single) {
        measure_system(request, a, a, result);
    } else if constexpr (is_built<Single<T>>()) {
        const auto rounded = converted<Single<T>>(a);
        measure_system(request, rounded, converted<T>(rounded), result);
    } else {
        throw std::runtime_error("this build has no single precision (FROND_SCALARS)");
    }
}

} // namespace

json measure_here(const RunRequest& request) {
    json result{{"solver", request.solver},
                {"matrix", request.matrix},
                {"mode", to_string(request.mode)},
                {"threads", request.threads}};
    try {
        result["version"] = find_entry(peers(), solver_name(request.solver)).version;
        const AnyMatrix matrix = load_matrix(request.matrix);
        openblas_set_num_threads(request.threads);
        std::visit([&](const auto& a) { measure_matrix(request, a, result); }, matrix);
    } catch (const std::exception& e) {
        result["error"] = e.what();
    }
    return result;
}

} // namespace frond::bench
