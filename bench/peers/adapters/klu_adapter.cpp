// SPDX-License-Identifier: BSD-3-Clause
// KLU, L U of the diagonal blocks of the block triangular form, for circuits and power grids; its
// defaults, one thread. Other values by klu_refactor, which keeps the pivots; where it fails with
// them, by klu_factor.
#include "peer.hpp"

#include <klu.h>
#include <stdexcept>

namespace frond::bench {
namespace {

template <class T>
struct KluCalls;

template <>
struct KluCalls<double> {
    static constexpr auto factor = klu_factor;
    static constexpr auto refactor = klu_refactor;
    static constexpr auto solve = klu_solve;
    static constexpr auto flops = klu_flops;
    static constexpr auto free_numeric = klu_free_numeric;
};

template <>
struct KluCalls<std::complex<double>> {
    static constexpr auto factor = klu_z_factor;
    static constexpr auto refactor = klu_z_refactor;
    static constexpr auto solve = klu_z_solve;
    static constexpr auto flops = klu_z_flops;
    static constexpr auto free_numeric = klu_z_free_numeric;
};

template <class T>
class KluPeer : public Peer {
    using Calls = KluCalls<T>;

public:
    explicit KluPeer(const Problem<T>& p) : p_(p), a_(columns(p.a, false)) {}

    ~KluPeer() override {
        Calls::free_numeric(&numeric_, &common_);
        klu_free_symbolic(&symbolic_, &common_);
    }

    void start() override { expect(klu_defaults(&common_) != 0, "klu_defaults"); }

    void analyze() override {
        Calls::free_numeric(&numeric_, &common_);
        klu_free_symbolic(&symbolic_, &common_);
        symbolic_ = klu_analyze(a_.n, a_.begin.data(), a_.row.data(), &common_);
        expect(symbolic_ != nullptr, "klu_analyze");
    }

    void take_values() override { bench::take_values(a_, p_.a, false); }

    void factor() override {
        if (numeric_ != nullptr && refactored()) return;
        Calls::free_numeric(&numeric_, &common_);
        numeric_ = Calls::factor(a_.begin.data(), a_.row.data(), values(), symbolic_, &common_);
        expect(numeric_ != nullptr && common_.status == KLU_OK, "klu_factor");
    }

    void solve() override {
        p_.x = p_.b;
        expect(Calls::solve(symbolic_, numeric_, a_.n, p_.rhs, reinterpret_cast<double*>(p_.x.data()), &common_) != 0,
               "klu_solve");
    }

    SolverFacts facts() const override {
        klu_common common = common_;  // klu_flops writes its result there
        Calls::flops(symbolic_, numeric_, &common);
        SolverFacts facts;
        facts.flops = common.flops;
        facts.factor_entries = numeric_->lnz + numeric_->unz;
        facts.remark = std::to_string(symbolic_->nblocks) + " blocks, largest " + std::to_string(symbolic_->maxblock) +
                       ", one thread, " + std::to_string(repivoted_) + " factored anew after klu_refactor";
        return facts;
    }

private:
    double* values() { return reinterpret_cast<double*>(a_.value.data()); }

    /// False where the pivots of before do not do for these values.
    bool refactored() {
        const int done = Calls::refactor(a_.begin.data(), a_.row.data(), values(), symbolic_, numeric_, &common_);
        if (done != 0 && common_.status == KLU_OK) return true;
        ++repivoted_;
        return false;
    }

    void expect(bool done, const char* call) const {
        if (!done)
            throw std::runtime_error(std::string(call) + " status " + std::to_string(common_.status) +
                                     (common_.status == KLU_SINGULAR ? ": singular" : ""));
    }

    Problem<T> p_;
    Columns<T> a_;
    klu_common common_{};
    klu_symbolic* symbolic_ = nullptr;
    klu_numeric* numeric_ = nullptr;
    int repivoted_ = 0;
};

std::unique_ptr<Peer> make(const AnyProblem& problem) {
    return std::visit(
        []<class T>(const Problem<T>& p) -> std::unique_ptr<Peer> {
            if constexpr (is_double_precision<T>) return std::make_unique<KluPeer<T>>(p);
            return nullptr;
        },
        problem);
}

}  // namespace

PeerEntry klu_peer() {
    return {.name = "KLU",
            .version = std::to_string(KLU_MAIN_VERSION) + "." + std::to_string(KLU_SUB_VERSION) + "." +
                       std::to_string(KLU_SUBSUB_VERSION),
            .make = make,
            .takes_many_rhs = true};
}

}  // namespace frond::bench
