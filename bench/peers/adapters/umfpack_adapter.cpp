// SPDX-License-Identifier: BSD-3-Clause
// UMFPACK, unsymmetric multifrontal LU, its default strategy, 64-bit integers.
#include "peer.hpp"

#include <stdexcept>
#include <umfpack.h>

namespace frond::bench {
namespace {

class UmfpackPeer : public Peer {
public:
    explicit UmfpackPeer(const Problem<double>& p) : p_(p), a_(columns(p.a, false)) {
        umfpack_dl_defaults(control_);
        begin_.assign(a_.begin.begin(), a_.begin.end());
        row_.assign(a_.row.begin(), a_.row.end());
    }

    ~UmfpackPeer() override {
        umfpack_dl_free_symbolic(&symbolic_);
        umfpack_dl_free_numeric(&numeric_);
    }

    void analyze() override {
        umfpack_dl_free_symbolic(&symbolic_);
        check(
            umfpack_dl_symbolic(a_.n, a_.n, begin_.data(), row_.data(), a_.value.data(), &symbolic_, control_, info_));
    }

    void take_values() override { bench::take_values(a_, p_.a, false); }

    void factor() override {
        umfpack_dl_free_numeric(&numeric_);
        check(umfpack_dl_numeric(begin_.data(), row_.data(), a_.value.data(), symbolic_, &numeric_, control_, info_));
        flops_ = info_[UMFPACK_FLOPS];
        entries_ = info_[UMFPACK_LNZ] + info_[UMFPACK_UNZ];
    }

    void solve() override {
        check(umfpack_dl_solve(UMFPACK_A, begin_.data(), row_.data(), a_.value.data(), p_.x.data(), p_.b.data(),
                               numeric_, control_, info_));
    }

    SolverFacts facts() const override {
        return {.flops = flops_, .factor_entries = entries_, .remark = "default strategy"};
    }

private:
    static void check(SuiteSparse_long status) {
        if (status < 0) throw std::runtime_error("UMFPACK status " + std::to_string(status));
    }

    Problem<double> p_;
    Columns<double> a_;
    std::vector<SuiteSparse_long> begin_, row_;
    void *symbolic_ = nullptr, *numeric_ = nullptr;
    double control_[UMFPACK_CONTROL] = {}, info_[UMFPACK_INFO] = {};
    double flops_ = 0, entries_ = 0;
};

std::unique_ptr<Peer> make(const AnyProblem& problem) {
    const auto* p = std::get_if<Problem<double>>(&problem);
    return p != nullptr ? std::make_unique<UmfpackPeer>(*p) : nullptr;
}

}  // namespace

PeerEntry umfpack_peer() {
    return {"UMFPACK",
            std::to_string(UMFPACK_MAIN_VERSION) + "." + std::to_string(UMFPACK_SUB_VERSION) + "." +
                std::to_string(UMFPACK_SUBSUB_VERSION),
            make};
}

}  // namespace frond::bench
