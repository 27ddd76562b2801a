// SPDX-License-Identifier: BSD-3-Clause
// SuperLU_DIST on the ranks of MPI_COMM_WORLD (bench/ranks alone) with its default options but for refinement: L U, pivots chosen before, by
// matching. Its one driver analyses and factors in one call, so that analyze() contains a factorization; factor() is
// SamePattern_SameRowPerm. Each rank has a block of rows; X is gathered on rank 0, as the others have it.
#include "peer.hpp"

#include <algorithm>
#include <mpi.h>
#include <numeric>
#include <stdexcept>
#include <superlu_ddefs.h>

namespace frond::bench {
namespace {

/// Rows first .. first + rows of A in compressed rows, and where every rank's begin.
struct RowBlock {
    explicit RowBlock(int order) {
        int rank = 0, ranks = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        for (int r = 0; r <= ranks; ++r) first_of.push_back(static_cast<int>(static_cast<count_t>(order) * r / ranks));
        first = first_of[static_cast<std::size_t>(rank)];
        rows = first_of[static_cast<std::size_t>(rank) + 1] - first;
    }

    std::vector<int> first_of;
    int first = 0, rows = 0;
    std::vector<int_t> begin, column;
    std::vector<double> value;
};

RowBlock block_of(const Columns<double>& all_rows) {
    RowBlock block(all_rows.n);
    const auto from = all_rows.begin.begin() + block.first;
    const int offset = *from;
    for (int i = 0; i <= block.rows; ++i) block.begin.push_back(from[i] - offset);
    block.column.assign(all_rows.row.begin() + offset, all_rows.row.begin() + from[block.rows]);
    block.value.assign(all_rows.value.begin() + offset, all_rows.value.begin() + from[block.rows]);
    return block;
}

/// The most square grid of `ranks` processes, wider than tall.
std::pair<int, int> grid_of(int ranks) {
    int height = 1;
    for (int h = 1; h * h <= ranks; ++h)
        if (ranks % h == 0) height = h;
    return {height, ranks / height};
}

class SuperluDistPeer : public Peer {
public:
    explicit SuperluDistPeer(const Problem<double>& p) : p_(p), block_(block_of(rows(p.a, false))) {}

    ~SuperluDistPeer() override {
        if (!started_) return;
        PStatFree(&statistics_);
        if (a_.Store != nullptr) Destroy_SuperMatrix_Store_dist(&a_);
        if (analyzed_) {
            if (options_.SolveInitialized) dSolveFinalize(&options_, &solve_);
            dScalePermstructFree(&permutations_);
            dDestroy_LU(p_.a.rows(), &grid_, &factors_);
            dLUstructFree(&factors_);
        }
        superlu_gridexit(&grid_);
    }

    void start() override {
        int ranks = 1;
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        const auto [height, width] = grid_of(ranks);
        superlu_gridinit(MPI_COMM_WORLD, height, width, &grid_);
        set_default_options_dist(&options_);
        options_.PrintStat = NO;
        options_.IterRefine = NOREFINE;  // it expects factorization and solve in one call of the driver
        PStatInit(&statistics_);
        started_ = true;
    }

    void analyze() override {
        if (analyzed_) throw std::runtime_error("is analysed once here");
        dScalePermstructInit(p_.a.rows(), p_.a.rows(), &permutations_);
        dLUstructInit(p_.a.rows(), &factors_);
        analyzed_ = true;
        options_.Fact = DOFACT;
        factor_block();
    }

    void take_values() override { block_ = block_of(rows(p_.a, false)); }

    void factor() override {
        options_.Fact = SamePattern_SameRowPerm;
        factor_block();
    }

    void solve() override {
        options_.Fact = FACTORED;
        const std::size_t rows = static_cast<std::size_t>(block_.rows);
        std::vector<double> x(std::max<std::size_t>(rows, 1));
        std::copy_n(p_.b.begin() + block_.first, rows, x.begin());
        call(x.data(), 1);
        std::vector<int> count;
        for (std::size_t r = 0; r + 1 < block_.first_of.size(); ++r)
            count.push_back(block_.first_of[r + 1] - block_.first_of[r]);
        MPI_Gatherv(x.data(), block_.rows, MPI_DOUBLE, p_.x.data(), count.data(), block_.first_of.data(), MPI_DOUBLE, 0,
                    MPI_COMM_WORLD);
    }

    SolverFacts facts() const override {
        SolverFacts facts;
        facts.flops = flops_;
        facts.remark = "L U, matched before; the analysis contains a factorization";
        return facts;
    }

private:
    /// The driver scales and permutes the arrays that it is given.
    void factor_block() {
        if (a_.Store != nullptr) Destroy_SuperMatrix_Store_dist(&a_);
        column_ = block_.column;
        value_ = block_.value;
        dCreate_CompRowLoc_Matrix_dist(&a_, p_.a.rows(), p_.a.rows(), static_cast<int_t>(value_.size()), block_.rows,
                                       block_.first, value_.data(), column_.data(), block_.begin.data(), SLU_NR_loc,
                                       SLU_D, SLU_GE);
        std::vector<double> nothing(static_cast<std::size_t>(std::max(block_.rows, 1)));
        call(nothing.data(), 0);
        const double mine = statistics_.ops[FACT];
        MPI_Allreduce(&mine, &flops_, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }

    void call(double* b, int right_hand_sides) {
        double error = 0;
        int info = 0;
        PStatFree(&statistics_);
        PStatInit(&statistics_);
        pdgssvx(&options_, &a_, &permutations_, b, std::max(block_.rows, 1), right_hand_sides, &grid_, &factors_,
                &solve_, &error, &statistics_, &info);
        if (info != 0) throw std::runtime_error("pdgssvx: info = " + std::to_string(info));
    }

    Problem<double> p_;
    RowBlock block_;
    std::vector<int_t> column_;  // those of block_, which the driver changes
    std::vector<double> value_;
    gridinfo_t grid_{};
    superlu_dist_options_t options_{};
    SuperLUStat_t statistics_{};
    SuperMatrix a_{};
    dScalePermstruct_t permutations_{};
    dLUstruct_t factors_{};
    dSOLVEstruct_t solve_{};
    double flops_ = 0;
    bool started_ = false, analyzed_ = false;
};

std::unique_ptr<Peer> make(const AnyProblem& problem) {
    const auto* const p = std::get_if<Problem<double>>(&problem);
    return p == nullptr ? nullptr : std::make_unique<SuperluDistPeer>(*p);
}

}  // namespace

PeerEntry superlu_dist_peer() {
    return {.name = "SuperLU_DIST",
            .version = std::to_string(SUPERLU_DIST_MAJOR_VERSION) + "." + std::to_string(SUPERLU_DIST_MINOR_VERSION) +
                       "." + std::to_string(SUPERLU_DIST_PATCH_VERSION),
            .make = make};
}

}  // namespace frond::bench
