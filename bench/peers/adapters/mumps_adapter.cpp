// SPDX-License-Identifier: BSD-3-Clause
// MUMPS with threaded BLAS, METIS ordering, SYM = 1 or 2 where it applies: with the stub of MPI that its sequential
// libraries have, and in bench/ranks on MPI_COMM_WORLD, where rank 0 alone gives A and B and gets X.
#include "peer.hpp"

#include <dmumps_c.h>
#include <stdexcept>
#include <zmumps_c.h>

namespace frond::bench {
namespace {

template <class T>
struct MumpsTypes;

template <>
struct MumpsTypes<double> {
    using Struct = DMUMPS_STRUC_C;
    using Scalar = double;

    static void call(Struct& s) { dmumps_c(&s); }
};

template <>
struct MumpsTypes<std::complex<double>> {
    using Struct = ZMUMPS_STRUC_C;
    using Scalar = mumps_double_complex;

    static void call(Struct& s) { zmumps_c(&s); }
};

template <class T>
class MumpsPeer : public Peer {
    using Types = MumpsTypes<T>;

public:
    explicit MumpsPeer(const Problem<T>& p) : p_(p), a_(columns(p.a, symmetric(p))) {
        for (int j = 0; j < a_.n; ++j)
            for (int e = a_.begin[j]; e < a_.begin[j + 1]; ++e) {
                row_.push_back(a_.row[e] + 1);
                column_.push_back(j + 1);
            }
    }

    ~MumpsPeer() override {
        s_.job = -2;
        if (started_) Types::call(s_);
    }

    void start() override {
        s_.comm_fortran = -987654;
        s_.par = 1;
        // MUMPS has no Hermitian mode, and its complex SYM = 1 is symmetric, too.
        s_.sym = !symmetric(p_) ? 0 : p_.mode == Mode::definite ? 1 : 2;
        run(-1);
        started_ = true;
        for (int i = 0; i < 3; ++i) s_.icntl[i] = -1;
        s_.icntl[3] = 0;
        s_.icntl[6] = 5;  // METIS
        s_.icntl[13] = 40;  // workspace relaxation, so that no run fails for it
        s_.n = a_.n;
        s_.nnz = static_cast<MUMPS_INT8>(row_.size());
        s_.irn = row_.data();
        s_.jcn = column_.data();
        s_.a = reinterpret_cast<typename Types::Scalar*>(a_.value.data());
    }

    void analyze() override { run(1); }

    void take_values() override { bench::take_values(a_, p_.a, symmetric(p_)); }

    void factor() override { run(2); }

    void solve() override {
        p_.x = p_.b;
        s_.nrhs = p_.rhs;
        s_.lrhs = a_.n;
        s_.rhs = reinterpret_cast<typename Types::Scalar*>(p_.x.data());
        run(3);
    }

    SolverFacts facts() const override {
        const double entries = s_.infog[8] < 0 ? -1e6 * s_.infog[8] : s_.infog[8];
        constexpr double megabyte = 1e6;
        SolverFacts facts{s_.rinfog[2], entries, megabyte * s_.infog[16]};
        if (s_.sym == 2 && !is_complex<T>) facts.negative = s_.infog[11];
        facts.remark = "SYM=" + std::to_string(s_.sym) + ", METIS";
        return facts;
    }

private:
    static bool symmetric(const Problem<T>& p) {
        return p.mode != Mode::general && p.a.symmetry == Symmetry::symmetric;
    }

    void run(int job) {
        s_.job = job;
        Types::call(s_);
        if (s_.infog[0] < 0)
            throw std::runtime_error("INFOG(1) = " + std::to_string(s_.infog[0]) +
                                     ", INFOG(2) = " + std::to_string(s_.infog[1]));
    }

    Problem<T> p_;
    Columns<T> a_;
    std::vector<int> row_, column_;
    typename Types::Struct s_{};
    bool started_ = false;
};

std::unique_ptr<Peer> make(const AnyProblem& problem) {
    return std::visit(
        []<class T>(const Problem<T>& p) -> std::unique_ptr<Peer> {
            if constexpr (is_double_precision<T>) return std::make_unique<MumpsPeer<T>>(p);
            return nullptr;
        },
        problem);
}

}  // namespace

PeerEntry mumps_peer() { return {.name = "MUMPS", .version = MUMPS_VERSION, .make = make, .takes_many_rhs = true}; }

}  // namespace frond::bench
