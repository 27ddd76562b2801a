// SPDX-License-Identifier: BSD-3-Clause
#include "changing_system.hpp"
#include "frond/base/instantiate.hpp"
#include "load_matrix.hpp"
#include "measurement.hpp"
#include "process_memory.hpp"
#include "time_steps.hpp"

#include <algorithm>
#include <stdexcept>

extern "C" void openblas_set_num_threads(int);

namespace frond::bench {
namespace {

using nlohmann::json;

const PeerEntry& find_entry(const std::vector<PeerEntry>& all, const std::string& name) {
    const auto entry = std::find_if(all.begin(), all.end(), [&](const PeerEntry& p) { return name == p.name; });
    if (entry == all.end()) throw std::runtime_error("this build has no solver " + name);
    return *entry;
}

std::unique_ptr<Peer> make_peer(const std::string& solver, const AnyProblem& problem) {
    const std::vector<PeerEntry> all = peers();
    const PeerEntry& entry = find_entry(all, solver_name(solver));
    std::visit(
        [&](const auto& p) {
            if (p.rhs > 1 && !entry.takes_many_rhs) throw std::runtime_error("takes one right-hand side only");
            if (!p.order.empty() && !entry.takes_order) throw std::runtime_error("is not given an order here");
            if (!p.settings.empty() && entry.settings == nullptr) throw std::runtime_error("takes no settings here");
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
template <class T>
std::vector<index_t> given_order(const RunRequest& request, const Problem<T>& problem) {
    if (request.order_of.empty() || solver_name(request.order_of) == solver_name(request.solver)) return {};
    Problem<T> with_its_settings = problem;
    with_its_settings.settings = settings_of(request.order_of);
    const auto peer = make_peer(request.order_of, AnyProblem(with_its_settings));
    peer->start();
    peer->analyze();
    std::vector<index_t> order = peer->order();
    if (order.empty()) throw std::runtime_error(request.order_of + " does not report its order");
    return order;
}

template <class T, class Double>
SystemUnderTest under_test(const RunRequest& request, ChangingSystem<T, Double>& system, const Problem<T>& problem) {
    SystemUnderTest under;
    under.errors = [&system] { return system.errors(); };
    if (request.values == same_values) return under;
    const cli::ValueChange change = cli::value_change_from_string(request.values, "--values");
    under.change = [&system, change](int round) { system.change(change, round); };
    if (change != cli::ValueChange::congruence)  // by that the inertia cannot change
        under.from_scratch = [&request, &problem] { return make_peer(request.solver, AnyProblem(problem)); };
    return under;
}

/// A in double precision, of which the solver gets T.
template <class T, class Double>
void measure_system(const RunRequest& request, const SparseMatrix<Double>& a, json& result) {
    if (a.rows() != a.cols()) throw std::runtime_error("the matrix is not square");
    ChangingSystem<T, Double> system(a, request.rhs);
    Problem<T> problem{system.a, request.mode, system.b, system.x, request.threads, request.rhs};
    problem.values_change = request.values != same_values;
    problem.order = given_order(request, problem);
    problem.settings = settings_of(request.solver);
    const double before = resident_bytes();
    restart_peak();
    const auto peer = make_peer(request.solver, AnyProblem(problem));
    time_steps(*peer, request, under_test(request, system, problem), before, result);
}

template <class T>
void measure_matrix(const RunRequest& request, const SparseMatrix<T>& a, json& result) {
    result["rows"] = a.rows();
    result["entries"] = entries_full(a.pattern, a.symmetry);
    if constexpr (!is_built<T>()) {
        throw std::runtime_error("this build leaves the scalar of the matrix out (FROND_SCALARS)");
    } else if (!request.single) {
        measure_system<T>(request, a, result);
    } else if constexpr (is_built<Single<T>>()) {
        measure_system<Single<T>>(request, a, result);
    } else {
        throw std::runtime_error("this build has no single precision (FROND_SCALARS)");
    }
}

}  // namespace

json measure_here(const RunRequest& request) {
    json result{{"solver", request.solver},
                {"matrix", request.matrix},
                {"mode", to_string(request.mode)},
                {"threads", request.threads},
                {"values", request.values}};
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

}  // namespace frond::bench
