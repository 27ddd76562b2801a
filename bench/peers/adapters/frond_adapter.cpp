// SPDX-License-Identifier: BSD-3-Clause
// Frond with no option but the mode that the peers are told, too, and those of the settings: any of
// docs/options.md, as in Frond:pivoting=static_pivots:gpus=0.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include "frond/base/instantiate.hpp"
#include "frond/frond.hpp"
#include "frond/option_table.hpp"
#include "peer.hpp"

namespace frond::bench {
namespace {

Factorization factorization(Mode mode, Symmetry symmetry) {
    if (mode == Mode::general || symmetry == Symmetry::general) return Factorization::lu;
    if (mode == Mode::definite) return Factorization::llt;
    return symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt;
}

template<class T>
class FrondPeer : public Peer {
public:
    explicit FrondPeer(const Problem<T>& p)
        : p_(p),
          shared_(std::shared_ptr<void>(), &p.a),
          options_(options(p)),
          solver_(Session(options_.session), options_.analysis) {}

    void analyze() override { solver_.analyze(p_.a); }

    void factor() override {
        const FactorReport& r = solver_.factor(shared_, options_.factor);
        if (r.status == FactorStatus::not_positive_definite)
            throw std::runtime_error("not positive definite");
    }

    void solve() override {
        report_ = solver_.solve({p_.b.data(), p_.a.rows(), p_.rhs, 0},
                                {p_.x.data(), p_.a.rows(), p_.rhs, 0}, options_.solve);
    }

    std::vector<index_t> order() const override { return solver_.analysis()->row_order; }

    SolverFacts facts() const override {
        const FactorReport& r = solver_.factors().report();
        SolverFacts facts{r.flops, static_cast<double>(r.factor_entries),
                          static_cast<double>(r.peak_bytes_predicted)};
        if (r.inertia) facts.negative = r.inertia->negative;
        char substitution[32];
        std::snprintf(substitution, sizeof substitution, "%.2g", report_.substitution_seconds);
        facts.remark = std::string(to_string(r.status)) + (r.on_device ? ", factored on the card" : "") +
                       (report_.on_device ? ", solved there" : "") + ", " +
                       (report_.status == SolveStatus::converged ? "" : std::string(to_string(report_.status)) + ", ") +
                       std::to_string(report_.refinement_steps) + " refinement steps, " + substitution +
                       " s of substitution";
        return facts;
    }

private:
    static Options options(const Problem<T>& p) {
        Options o;
        // All cores: Frond keeps some to drive the cards.
        const bool all = p.threads >= static_cast<int>(std::thread::hardware_concurrency());
        o.session.cpu_workers = all ? 0 : p.threads;
        o.analysis.factorization = factorization(p.mode, p.a.symmetry);
        if (!p.order.empty()) o.analysis.ordering = OrderingMethod::user;
        o.analysis.user_order = p.order;
        std::string settings = p.settings;
        std::replace(settings.begin(), settings.end(), ':', ' ');
        set_options(o, settings);
        return o;
    }

    Problem<T> p_;
    SharedMatrix<T> shared_; // the comparison owns A and outlives this
    Options options_;
    Solver<T> solver_;
    SolveReport report_;
};

std::unique_ptr<Peer> make(const AnyProblem& problem) {
    return std::visit(
        []<class T>(const Problem<T>& p) -> std::unique_ptr<Peer> {
            if constexpr (is_built<T>()) return std::make_unique<FrondPeer<T>>(p);
            return nullptr;
        },
        problem);
}

} // namespace

PeerEntry frond_peer() {
    return {.name = "Frond",
            .version = "this build",
            .make = make,
            .takes_many_rhs = true,
            .takes_order = true,
            .settings = ""};
}

} // namespace frond::bench
