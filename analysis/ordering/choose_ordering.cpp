// SPDX-License-Identifier: BSD-3-Clause
#include "compute_order.hpp"
#include "ordering_cost.hpp"

#include <algorithm>
#include <future>
#include <limits>
#include <stop_token>
#include <thread>
#include <utility>

namespace frond {
namespace {

/// Dissection starts beside AMD, not after it, from this many groups on and with this many
/// neighbours on average: in a plane, with fewer, it seldom pays and would only slow AMD down.
constexpr index_t smallest_early_dissection = 10000;
constexpr double least_mean_degree = 5.5;

bool begins_early(const OrderingProblem& problem) {
    const Pattern& graph = problem.compressed.graph;
    return problem.threads > 1 && graph.cols >= smallest_early_dissection &&
           static_cast<double>(graph.entries()) >= least_mean_degree * graph.cols;
}

index_t threads_of(const AnalysisOptions& options) {
    if (options.threads > 0) return options.threads;
    return std::clamp<index_t>(static_cast<index_t>(std::thread::hardware_concurrency()), 1, 4);
}

/// Candidates beyond AMD that its fill makes worth their time.
std::vector<OrderingMethod> worthwhile_methods(const OrderingProblem& problem,
                                               const OrderingCandidate& amd) {
    const Pattern& graph = problem.compressed.graph;
    const double factor_seconds = predicted_factor_seconds(amd);
    std::vector<OrderingMethod> methods;
    if (problem.has_grid()) methods.push_back(OrderingMethod::geometric);
    if (factor_seconds > predicted_dissection_seconds(graph))
        methods.push_back(OrderingMethod::nested_dissection);
    if (graph.entries() > std::numeric_limits<index_t>::max() / 2) return methods;
    const double share = other_dissections_share * factor_seconds;
    if (share > predicted_metis_seconds(graph)) methods.push_back(OrderingMethod::metis);
    if (share > predicted_scotch_seconds(graph)) methods.push_back(OrderingMethod::scotch);
    return methods;
}

/// Dissection that starts before it is known to pay, while a thread would be idle: it has one
/// thread beside AMD's and all of them afterwards. Stopped when it does not pay.
class EarlyDissection {
public:
    explicit EarlyDissection(const OrderingProblem& problem) {
        if (!begins_early(problem)) return;
        control_ = {stop_.get_token(), amd_done_.get_future().share()};
        running_ = std::async(std::launch::async | std::launch::deferred, [this, &problem] {
            return compute_order(problem, OrderingMethod::nested_dissection, control_);
        });
    }

    ~EarlyDissection() {
        if (running_.valid()) stop();
    }

    EarlyDissection(const EarlyDissection&) = delete;
    EarlyDissection& operator=(const EarlyDissection&) = delete;

    bool started() const { return running_.valid(); }

    void stop() {
        stop_.request_stop();
        release_helpers();
    }

    void release_helpers() {
        if (started() && !std::exchange(released_, true)) amd_done_.set_value();
    }

    ComputedOrder get() { return running_.get(); }

private:
    std::stop_source stop_;
    std::promise<void> amd_done_;
    bool released_ = false;
    DissectionControl control_;
    std::future<ComputedOrder> running_; // its destructor waits
};

/// AMD first, then what it makes worthwhile, side by side.
std::vector<ComputedOrder> all_candidates(const OrderingProblem& problem) {
    EarlyDissection early(problem);
    std::vector<ComputedOrder> candidates;
    candidates.push_back(compute_order(problem, OrderingMethod::amd));
    const auto methods = worthwhile_methods(problem, candidates.front().report);
    const auto is_dissection = [](OrderingMethod m) {
        return m == OrderingMethod::nested_dissection;
    };
    if (std::any_of(methods.begin(), methods.end(), is_dissection))
        early.release_helpers();
    else
        early.stop();

    const auto policy = problem.threads > 1 && methods.size() > 1
                            ? std::launch::async | std::launch::deferred
                            : std::launch::deferred;
    std::vector<std::future<ComputedOrder>> running;
    for (const OrderingMethod method : methods)
        if (!is_dissection(method) || !early.started())
            running.push_back(
                std::async(policy, [&problem, method] { return compute_order(problem, method); }));
        else
            running.push_back(std::async(std::launch::deferred, [&early] { return early.get(); }));
    for (auto& candidate : running) candidates.push_back(candidate.get());
    return candidates;
}

} // namespace

OrderingResult choose_ordering(const Pattern& graph, const std::vector<index_t>& partner,
                               Factorization kind, const AnalysisOptions& options) {
    const OrderingProblem problem{
        graph, partner, kind, options, compress_graph(graph, partner), threads_of(options)};
    std::vector<ComputedOrder> candidates;
    if (options.ordering == OrderingMethod::automatic)
        candidates = all_candidates(problem);
    else
        candidates.push_back(compute_order(problem, options.ordering));

    const auto best = std::min_element(
        candidates.begin(), candidates.end(), [](const ComputedOrder& a, const ComputedOrder& b) {
            return predicted_factor_seconds(a.report) < predicted_factor_seconds(b.report);
        });
    OrderingResult result;
    result.compressed_vertices = problem.compressed.graph.cols;
    result.method = best->report.method;
    result.order = std::move(best->order);
    for (const ComputedOrder& candidate : candidates) result.candidates.push_back(candidate.report);
    return result;
}

} // namespace frond
