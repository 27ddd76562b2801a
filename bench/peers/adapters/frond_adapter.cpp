// SPDX-License-Identifier: BSD-3-Clause
// Frond with no option but the mode that the peers get, too, and those of the settings: any of
// docs/options.md, as in Frond:pivoting=static_pivots:gpus=0; the word "values" among them: other
// values by Solver::factor_values in place of factor; "cores_at=SPEED": pieces for cores beside a card, as if cores
// were so many times as quick as they are and what passes to the card cost nothing.
#include "frond/base/instantiate.hpp"
#include "frond/frond.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/option_table.hpp"
#include "peer.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace frond::bench {
namespace {

FrondRanks ranks_of_frond;

/// What a rank without entries gives of A.
template <class T>
SparseMatrix<T> without_entries(const SparseMatrix<T>& a) {
    SparseMatrix<T> none;
    none.pattern = {a.rows(), a.cols(), std::vector<count_t>(static_cast<std::size_t>(a.cols()) + 1, 0), {}};
    none.symmetry = a.symmetry;
    return none;
}

Factorization factorization(Mode mode, Symmetry symmetry) {
    if (mode == Mode::general || symmetry == Symmetry::general) return Factorization::lu;
    if (mode == Mode::definite) return Factorization::llt;
    return symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt;
}

/// Empty where these factors need no scaling.
std::optional<bool> scaling_kept(const FactorReport& report) {
    if (report.factorization == Factorization::llt || report.pivoting == Pivoting::none) return std::nullopt;
    return report.work.scaling_kept;
}

template <class T>
class FrondPeer : public Peer {
public:
    explicit FrondPeer(const Problem<T>& p)
        : p_(p),
          shared_(mine()),
          by_values_(take_word(p_.settings, "values").has_value()),
          options_((force_cores(), options(p_))) {}

    void start() override { solver_.emplace(Session(options_.session), options_.analysis); }

    void analyze() override {
        solver_->analyze(*mine());
        analyzed_only_ = true;
    }

    // Factors keep the A that they were made of, so that this is another one.
    void take_values() override {
        if (!by_values_) shared_ = mine();
    }

    void factor() override {
        factored_ = by_values_ && !analyzed_only_ ? solver_->factor_values(values(), options_.factor)
                                                  : solver_->factor(shared_, options_.factor);
        analyzed_only_ = false;
        if (!can_solve_with(factored_.status)) throw std::runtime_error(to_string(factored_.status));
    }

    void solve() override {
        const count_t rows = ranks_of_frond.has_matrix ? p_.a.rows() : 0;
        report_ = solver_->solve({p_.b.data(), rows, p_.rhs, 0}, {p_.x.data(), rows, p_.rhs, 0}, options_.solve);
    }

    std::vector<index_t> order() const override { return solver_->analysis()->row_order; }

    SolverFacts facts() const override {
        const FactorReport& r = factored_;
        SolverFacts facts{r.work.flops, static_cast<double>(r.memory.factor_entries),
                          static_cast<double>(r.memory.peak_bytes_predicted)};
        if (r.pivots.inertia) facts.negative = r.pivots.inertia->negative;
        facts.verdict = to_string(r.status);
        facts.scaling_kept = scaling_kept(r);
        char substitution[32];
        std::snprintf(substitution, sizeof substitution, "%.2g", report_.substitution_seconds);
        facts.remark = facts.verdict + (r.place.on_device ? ", factored on the card" : "") +
                       (r.place.on_device && r.work.subtree_tasks > 0
                            ? " but for " + std::to_string(r.work.subtree_tasks) + " subtrees"
                            : "") +
                       (report_.on_device ? ", solved there" : "") + ", " +
                       (report_.status == SolveStatus::converged ? "" : std::string(to_string(report_.status)) + ", ") +
                       std::to_string(report_.refinement_steps) + " refinement steps, " + substitution +
                       " s of substitution";
        return facts;
    }

private:
    /// A copy where the values change: earlier factors keep theirs.
    SharedMatrix<T> mine() const {
        if (!ranks_of_frond.has_matrix) return std::make_shared<const SparseMatrix<T>>(without_entries(p_.a));
        if (p_.values_change) return std::make_shared<const SparseMatrix<T>>(p_.a);
        return SharedMatrix<T>(std::shared_ptr<void>(), &p_.a);
    }

    std::span<const T> values() const {
        return ranks_of_frond.has_matrix ? std::span<const T>(p_.a.value) : std::span<const T>();
    }

    /// What follows `word` where that begins one of the settings, which is taken out of them.
    static std::optional<std::string> take_word(std::string& settings, const std::string& word) {
        std::istringstream all(settings);
        std::optional<std::string> rest;
        settings.clear();
        for (std::string one; std::getline(all, one, ':');) {
            if (one.starts_with(word))
                rest = one.substr(word.size());
            else
                settings += (settings.empty() ? "" : ":") + one;
        }
        return rest;
    }

    /// Sets it for this process, which has one solver.
    void force_cores() {
        if (const auto speed = take_word(p_.settings, "cores_at=")) gpu::force_cores(std::stod(*speed));
    }

    static Options options(const Problem<T>& p) {
        Options o;
        // All cores: Frond keeps some to drive the cards.
        const bool all = p.threads >= static_cast<int>(std::thread::hardware_concurrency());
        o.session.cpu_workers = all ? 0 : p.threads;
        o.session.communicator = ranks_of_frond.communicator;
        o.analysis.factorization = factorization(p.mode, p.a.symmetry);
        if (!p.order.empty()) o.analysis.ordering = OrderingMethod::user;
        o.analysis.user_order = p.order;
        std::string settings = p.settings;
        std::replace(settings.begin(), settings.end(), ':', ' ');
        set_options(o, settings);
        return o;
    }

    Problem<T> p_;
    SharedMatrix<T> shared_;  // where it never changes, the comparison's own, which outlives this
    bool by_values_;  // Solver::factor_values in place of factor, after the first factorization
    Options options_;
    std::optional<Solver<T>> solver_;
    FactorReport factored_;
    SolveReport report_;
    bool analyzed_only_ = false;
};

std::unique_ptr<Peer> make(const AnyProblem& problem) {
    return std::visit(
        []<class T>(const Problem<T>& p) -> std::unique_ptr<Peer> {
            if constexpr (is_built<T>()) return std::make_unique<FrondPeer<T>>(p);
            return nullptr;
        },
        problem);
}

}  // namespace

void set_ranks_of_frond(const FrondRanks& ranks) { ranks_of_frond = ranks; }

PeerEntry frond_peer() {
    return {.name = "Frond",
            .version = "this build",
            .make = make,
            .takes_many_rhs = true,
            .takes_order = true,
            .settings = ""};
}

}  // namespace frond::bench
