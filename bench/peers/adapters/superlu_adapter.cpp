// SPDX-License-Identifier: BSD-3-Clause
// SuperLU (sequential), COLAMD or minimum degree on A + A^T, its expert defaults.
#include "peer.hpp"

#include <slu_ddefs.h>
#include <stdexcept>

namespace frond::bench {
namespace {

class SuperluPeer : public Peer {
public:
    explicit SuperluPeer(const Problem<double>& p)
        : p_(p), a_(columns(p.a, false)), column_(p.a.rows()), row_(p.a.rows()), tree_(p.a.rows()) {
        set_default_options(&options_);
        options_.ColPerm = p.mode == Mode::general ? COLAMD : MMD_AT_PLUS_A;
        options_.SymmetricMode = p.mode == Mode::general ? NO : YES;
        options_.DiagPivotThresh = p.mode == Mode::general ? 1.0 : 0.01;
        StatInit(&stat_);
        dCreate_CompCol_Matrix(&matrix_, a_.n, a_.n, static_cast<int>(a_.row.size()), a_.value.data(), a_.row.data(),
                               a_.begin.data(), SLU_NC, SLU_D, SLU_GE);
    }

    ~SuperluPeer() override {
        free_factors();
        if (permuted_) Destroy_CompCol_Permuted(&ordered_);
        SUPERLU_FREE(matrix_.Store);
        StatFree(&stat_);
    }

    void analyze() override {
        if (permuted_) Destroy_CompCol_Permuted(&ordered_);
        permuted_ = false;
        get_perm_c(options_.ColPerm, &matrix_, column_.data());
        sp_preorder(&options_, &matrix_, column_.data(), tree_.data(), &ordered_);
        permuted_ = true;
    }

    void take_values() override { bench::take_values(a_, p_.a, false); }

    // With the column order and tree of the analysis, as SuperLU's Fact = SamePattern.
    void factor() override {
        free_factors();
        int info = 0;
        dgstrf(&options_, &ordered_, sp_ienv(2), sp_ienv(1), tree_.data(), nullptr, 0, column_.data(), row_.data(),
               &lower_, &upper_, &global_, &stat_, &info);
        if (info != 0) throw std::runtime_error("dgstrf info " + std::to_string(info));
        factored_ = true;
    }

    void solve() override {
        p_.x = p_.b;
        SuperMatrix x;
        dCreate_Dense_Matrix(&x, a_.n, p_.rhs, p_.x.data(), a_.n, SLU_DN, SLU_D, SLU_GE);
        int info = 0;
        dgstrs(NOTRANS, &lower_, &upper_, column_.data(), row_.data(), &x, &stat_, &info);
        Destroy_SuperMatrix_Store(&x);
        if (info != 0) throw std::runtime_error("dgstrs info " + std::to_string(info));
    }

    SolverFacts facts() const override {
        const double entries = static_cast<SCformat*>(lower_.Store)->nnz + static_cast<NCformat*>(upper_.Store)->nnz;
        return {.flops = stat_.ops[FACT], .factor_entries = entries, .remark = "one thread"};
    }

private:
    void free_factors() {
        if (!factored_) return;
        Destroy_SuperNode_Matrix(&lower_);
        Destroy_CompCol_Matrix(&upper_);
        factored_ = false;
    }

    Problem<double> p_;
    Columns<double> a_;
    std::vector<int> column_, row_, tree_;
    superlu_options_t options_{};
    SuperLUStat_t stat_{};
    GlobalLU_t global_{};
    SuperMatrix matrix_{}, ordered_{}, lower_{}, upper_{};
    bool permuted_ = false, factored_ = false;
};

std::unique_ptr<Peer> make(const AnyProblem& problem) {
    const auto* p = std::get_if<Problem<double>>(&problem);
    return p != nullptr ? std::make_unique<SuperluPeer>(*p) : nullptr;
}

}  // namespace

PeerEntry superlu_peer() {
    return {.name = "SuperLU",
            .version = std::to_string(SUPERLU_MAJOR_VERSION) + "." + std::to_string(SUPERLU_MINOR_VERSION) + "." +
                       std::to_string(SUPERLU_PATCH_VERSION),
            .make = make,
            .takes_many_rhs = true};
}

}  // namespace frond::bench
