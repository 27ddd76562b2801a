// SPDX-License-Identifier: BSD-3-Clause
// CHOLMOD, supernodal L L^H of definite matrices; its own choice among AMD and METIS.
#include "peer.hpp"

#include <cholmod.h>
#include <stdexcept>

namespace frond::bench {
namespace {

template <class T>
class CholmodPeer : public Peer {
public:
    explicit CholmodPeer(const Problem<T>& p) : p_(p), a_(columns(p.a, true)) {
        matrix_.nrow = matrix_.ncol = static_cast<size_t>(a_.n);
        matrix_.nzmax = a_.row.size();
        matrix_.p = a_.begin.data();
        matrix_.i = a_.row.data();
        matrix_.x = a_.value.data();
        matrix_.stype = -1;
        matrix_.itype = CHOLMOD_INT;
        matrix_.xtype = xtype;
        matrix_.dtype = CHOLMOD_DOUBLE;
        matrix_.sorted = matrix_.packed = 1;
    }

    ~CholmodPeer() override {
        cholmod_free_factor(&factor_, &common_);
        cholmod_finish(&common_);
    }

    void start() override {
        cholmod_start(&common_);
        common_.supernodal = CHOLMOD_SUPERNODAL;
        common_.print = 0;
        common_.nmethods = 2;
        common_.method[0].ordering = CHOLMOD_AMD;
        common_.method[1].ordering = CHOLMOD_METIS;
    }

    void analyze() override {
        cholmod_free_factor(&factor_, &common_);
        factor_ = cholmod_analyze(&matrix_, &common_);
        check("cholmod_analyze");
    }

    void take_values() override { bench::take_values(a_, p_.a, true); }

    void factor() override {
        cholmod_factorize(&matrix_, factor_, &common_);  // into the memory of the factors before
        check("cholmod_factorize");
    }

    void solve() override {
        cholmod_dense b{};
        b.nrow = b.d = static_cast<size_t>(a_.n);
        b.ncol = static_cast<size_t>(p_.rhs);
        b.nzmax = p_.b.size();
        b.x = const_cast<T*>(p_.b.data());
        b.xtype = xtype;
        b.dtype = CHOLMOD_DOUBLE;
        cholmod_dense* x = cholmod_solve(CHOLMOD_A, factor_, &b, &common_);
        check("cholmod_solve");
        const T* values = static_cast<const T*>(x->x);
        p_.x.assign(values, values + p_.b.size());  // its leading dimension is n
        cholmod_free_dense(&x, &common_);
    }

    SolverFacts facts() const override {
        return {.flops = common_.fl,
                .factor_entries = common_.lnz,
                .remark = "supernodal, ordering " + std::to_string(common_.selected)};
    }

private:
    static constexpr int xtype = is_complex<T> ? CHOLMOD_COMPLEX : CHOLMOD_REAL;

    void check(const char* what) const {
        if (common_.status != CHOLMOD_OK)
            throw std::runtime_error(std::string(what) + " status " + std::to_string(common_.status));
    }

    Problem<T> p_;
    Columns<T> a_;
    cholmod_common common_{};
    cholmod_sparse matrix_{};
    cholmod_factor* factor_ = nullptr;
};

std::unique_ptr<Peer> make(const AnyProblem& problem) {
    return std::visit(
        []<class T>(const Problem<T>& p) -> std::unique_ptr<Peer> {
            const bool takes = p.mode == Mode::definite && (p.a.symmetry == Symmetry::hermitian ||
                                                            (!is_complex<T> && p.a.symmetry == Symmetry::symmetric));
            if constexpr (is_double_precision<T>)
                if (takes) return std::make_unique<CholmodPeer<T>>(p);
            return nullptr;
        },
        problem);
}

}  // namespace

PeerEntry cholmod_peer() {
    int v[3];
    cholmod_version(v);
    return {.name = "CHOLMOD",
            .version = std::to_string(v[0]) + "." + std::to_string(v[1]) + "." + std::to_string(v[2]),
            .make = make,
            .takes_many_rhs = true};
}

}  // namespace frond::bench
