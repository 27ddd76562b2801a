// SPDX-License-Identifier: BSD-3-Clause
#include "time_steps.hpp"

#include "process_memory.hpp"

#include <algorithm>
#include <chrono>

namespace frond::bench {
namespace {

using nlohmann::json;

template <class Call>
double seconds_of(Call call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
}

/// The seconds of each call of one step.
using Seconds = std::vector<double>;

/// key_seconds, returned: the median without the first of several, which is key_first_seconds.
double add_step(const std::string& key, Seconds seconds, json& result) {
    result[key + "_all_seconds"] = seconds;
    result[key + "_first_seconds"] = seconds.front();
    if (seconds.size() > 1) seconds.erase(seconds.begin());
    const double typical = median(seconds);
    result[key + "_seconds"] = typical;
    return typical;
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

class Steps {
public:
    Steps(Peer& peer, const SystemUnderTest& system) : peer_(peer), system_(system) {}

    void start() {
        start_ = seconds_of([this] { peer_.start(); });
    }

    void analyze() {
        analysis_.push_back(seconds_of([this] { peer_.analyze(); }));
    }

    /// The second solve has the same factors, and perhaps what the first one made of them.
    void factor_and_solve() {
        factor_.push_back(seconds_of([this] { peer_.factor(); }));
        solve_.push_back(seconds_of([this] { peer_.solve(); }));
        take_errors();
        again_.push_back(seconds_of([this] { peer_.solve(); }));
        take_errors();
    }

    void with_values(int round) {
        if (system_.change) {
            system_.change(round);
            peer_.take_values();
        }
        factor_and_solve();
        if (system_.change) take_scaling(peer_.facts());
        if (system_.from_scratch) compare_with_scratch();
    }

    void report(json& result) const {
        const double factor = add_step("factor", factor_, result);
        const double solve = add_step("solve", solve_, result);
        result["solve_again_seconds"] = median(again_);
        result["start_seconds"] = start_;
        result["cold_seconds"] = start_ + analysis_.front() + factor_.front() + solve_.front();
        result["backward_error"] = errors_.normwise;
        result["componentwise_backward_error"] = errors_.componentwise;
        add_facts(peer_.facts(), factor, result);
        if (scalings_known_ > 0) {
            result["scalings_kept"] = kept_;
            result["rescaled"] = scalings_known_ - kept_;
        }
        if (system_.from_scratch) {
            result["compared_with_scratch"] = compared_;
            result["other_than_from_scratch"] = others_;
        }
        result["total_seconds"] = factor + solve;
    }

    const Seconds& analysis() const { return analysis_; }

private:
    void take_errors() {
        const LargestErrors e = system_.errors();
        errors_.normwise = std::max(errors_.normwise, e.normwise);
        errors_.componentwise = std::max(errors_.componentwise, e.componentwise);
    }

    void take_scaling(const SolverFacts& facts) {
        if (!facts.scaling_kept) return;
        ++scalings_known_;
        kept_ += *facts.scaling_kept ? 1 : 0;
    }

    void compare_with_scratch() {
        const SolverFacts mine = peer_.facts();
        const auto peer = system_.from_scratch();
        peer->start();
        peer->analyze();
        peer->factor();
        peer->solve();  // some settings of a peer change its factors then
        const SolverFacts fresh = peer->facts();
        ++compared_;
        others_ += fresh.negative == mine.negative && fresh.verdict == mine.verdict ? 0 : 1;
    }

    Peer& peer_;
    const SystemUnderTest& system_;
    double start_ = 0;
    Seconds analysis_, factor_, solve_, again_;
    LargestErrors errors_;
    int scalings_known_ = 0, kept_ = 0, compared_ = 0, others_ = 0;
};

}  // namespace

void time_steps(Peer& peer, const RunRequest& request, const SystemUnderTest& system, double before, json& result) {
    Steps steps(peer, system);
    steps.start();
    steps.analyze();
    result["analysis_peak_bytes"] = peak_resident_bytes() - before;
    restart_peak();
    steps.factor_and_solve();
    for (int round = 1; round < request.factorizations; ++round) steps.with_values(round);
    result["factor_peak_bytes"] = peak_resident_bytes() - before;
    result["peak_bytes"] =
        std::max(result["factor_peak_bytes"].get<double>(), result["analysis_peak_bytes"].get<double>());
    steps.report(result);
    // Last, since the first factorization after an analysis is none with other values.
    for (int k = 1; k < request.analyses; ++k) steps.analyze();
    result["total_seconds"] = result["total_seconds"].get<double>() + add_step("analysis", steps.analysis(), result);
}

}  // namespace frond::bench
