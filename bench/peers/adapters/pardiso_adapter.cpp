// SPDX-License-Identifier: BSD-3-Clause
// PARDISO of Intel MKL: A = L L^H, L D L^T, L D L^H or L U, with the parameters that pardisoinit
// gives the kind of matrix. Other values by phase 22, with the order, the matching and the scaling
// of the analysis.
#include "../pardiso/library.hpp"
#include "../pardiso/settings.hpp"
#include "make_peer.hpp"

#include <algorithm>
#include <stdexcept>

namespace frond::bench {
namespace {

/// In the numbers of PARDISO.
enum Kind : MKL_INT {
    real_definite = 2,
    real_symmetric = -2,
    complex_definite = 4,
    complex_hermitian = -4,
    complex_symmetric = 6,
    real_general = 11,
    complex_general = 13
};

template <class T>
Kind kind_of(const Problem<T>& p) {
    if (p.mode == Mode::general || p.a.symmetry == Symmetry::general)
        return is_complex<T> ? complex_general : real_general;
    if (p.mode == Mode::definite) return is_complex<T> ? complex_definite : real_definite;
    if (!is_complex<T>) return real_symmetric;
    return p.a.symmetry == Symmetry::hermitian ? complex_hermitian : complex_symmetric;
}

/// Every diagonal entry is there, a zero one, too, as PARDISO asks of symmetric matrices.
template <class T>
Columns<T> with_diagonal(const Columns<T>& upper) {
    Columns<T> all;
    all.n = upper.n;
    all.begin.push_back(0);
    for (int i = 0; i < upper.n; ++i) {
        const auto row = static_cast<std::size_t>(i);
        const int first = upper.begin[row], last = upper.begin[row + 1];
        if (first == last || upper.row[static_cast<std::size_t>(first)] != i) {
            all.row.push_back(i);
            all.value.push_back(T(0));
        }
        all.row.insert(all.row.end(), upper.row.begin() + first, upper.row.begin() + last);
        all.value.insert(all.value.end(), upper.value.begin() + first, upper.value.begin() + last);
        all.begin.push_back(static_cast<int>(all.row.size()));
    }
    return all;
}

template <class T>
Columns<T> input_of(const Problem<T>& p) {
    const Kind kind = kind_of(p);
    const bool general = kind == real_general || kind == complex_general;
    return general ? rows(p.a, false) : with_diagonal(rows(p.a, true));
}

template <class T>
class PardisoPeer : public Peer {
public:
    explicit PardisoPeer(const Problem<T>& p) : p_(p), kind_(kind_of(p)), rows_(input_of(p)) {}

    ~PardisoPeer() override { release(); }

    void start() override {
        pardiso_ = &pardiso_library();
        pardiso_->set_threads(p_.threads);
        pardiso_->pardisoinit(handle_.data(), &kind_, iparm_.data());
        at(1) = 1;  // the values below are in force
        at(18) = -1;  // report the entries of the factors
        at(28) = is_double_precision<T> ? 0 : 1;
        at(35) = 1;  // indices from 0
        apply_pardiso_settings(p_.settings, iparm_);
    }

    void analyze() override {
        release();
        call(11, "analysis");
        analyzed_ = true;
    }

    void take_values() override {
        const Columns<T> now = input_of(p_);
        std::copy(now.value.begin(), now.value.end(), rows_.value.begin());
    }

    void factor() override {
        call(22, "factorization");
        perturbed_ = at(14);
    }

    void solve() override { call(33, "solve"); }

    SolverFacts facts() const override {
        SolverFacts facts;
        facts.factor_entries = static_cast<double>(iparm_[17]);
        if (kind_ == real_symmetric || kind_ == complex_hermitian) facts.negative = iparm_[22];
        facts.remark = pardiso_settings_text(iparm_) + ", " + std::to_string(p_.threads) +
                       " threads, pivots perturbed " + std::to_string(perturbed_) + ", refinement steps " +
                       std::to_string(iparm_[6]);
        return facts;
    }

private:
    /// iparm(k) of the manual.
    MKL_INT& at(std::size_t k) { return iparm_[k - 1]; }

    MKL_INT run(MKL_INT phase) {
        const MKL_INT one = 1, quiet = 0, n = rows_.n, rhs = p_.rhs;
        MKL_INT error = 0;
        pardiso_->pardiso(handle_.data(), &one, &one, &kind_, &phase, &n, rows_.value.data(), rows_.begin.data(),
                          rows_.row.data(), nullptr, &rhs, iparm_.data(), &quiet, const_cast<T*>(p_.b.data()),
                          p_.x.data(), &error);
        return error;
    }

    void call(MKL_INT phase, const char* name) {
        const MKL_INT error = run(phase);
        if (error != 0) throw std::runtime_error("PARDISO's " + std::string(name) + ": " + pardiso_error_text(error));
    }

    void release() {
        if (analyzed_) static_cast<void>(run(-1));  // a destructor cannot report an error
        analyzed_ = false;
    }

    Problem<T> p_;
    MKL_INT kind_;
    Columns<T> rows_;  // by rows
    const PardisoLibrary* pardiso_ = nullptr;
    std::array<void*, 64> handle_{};
    PardisoParameters iparm_{};
    MKL_INT perturbed_ = 0;
    bool analyzed_ = false;
};

}  // namespace

PeerEntry pardiso_peer() {
    return {.name = "PARDISO",
            .version = "MKL " + mkl_version(),
            .make = make_peer<PardisoPeer>,
            .takes_many_rhs = true,
            .settings = "",
            .preload = intel_openmp_library()};
}

}  // namespace frond::bench
