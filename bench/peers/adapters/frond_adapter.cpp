// SPDX-License-Identifier: BSD-3-Clause
// Frond with no option but the mode that the peers are told, too.
#include <thread>

#include "frond/base/instantiate.hpp"
#include "frond/frond.hpp"
#include "peer.hpp"

#include <stdexcept>

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
          solver_(Session(session_options(p)), analysis_options(p)) {}

    void analyze() override { solver_.analyze(p_.a); }

    void factor() override {
        const FactorReport& r = solver_.factor(shared_);
        if (r.status == FactorStatus::not_positive_definite)
            throw std::runtime_error("not positive definite");
    }

    void solve() override {
        report_ = solver_.solve({p_.b.data(), p_.a.rows(), p_.rhs, 0},
                                {p_.x.data(), p_.a.rows(), p_.rhs, 0});
    }

    std::vector<index_t> order() const override { return solver_.analysis()->row_order; }

    SolverFacts facts() const override {
        const FactorReport& r = solver_.factors().report();
        SolverFacts facts{r.flops, static_cast<double>(r.factor_entries),
                          static_cast<double>(r.peak_bytes_predicted)};
        if (r.inertia) facts.negative = r.inertia->negative;
        facts.remark = std::string(to_string(r.status)) + ", " +
                       std::to_string(report_.refinement_steps) + " refinement steps";
        return facts;
    }

private:
    static SessionOptions session_options(const Problem<T>& p) {
        SessionOptions o;
        // All cores: Frond keeps some to drive the cards.
        const bool all = p.threads >= static_cast<int>(std::thread::hardware_concurrency());
        o.cpu_workers = all ? 0 : p.threads;
        return o;
    }

    static AnalysisOptions analysis_options(const Problem<T>& p) {
        AnalysisOptions o;
        o.factorization = factorization(p.mode, p.a.symmetry);
        if (!p.order.empty()) o.ordering = OrderingMethod::user;
        o.user_order = p.order;
        return o;
    }

    Problem<T> p_;
    SharedMatrix<T> shared_; // the comparison owns A and outlives this
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
            .takes_order = true};
}

} // namespace frond::bench
