// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "peer.hpp"

namespace frond::bench {

/// A step takes as long as on the slowest rank, which all ranks wait for before and after it.
class TogetherPeer : public Peer {
public:
    explicit TogetherPeer(std::unique_ptr<Peer> one) : one_(std::move(one)) {}

    void start() override { on_all_ranks(&Peer::start); }
    void analyze() override { on_all_ranks(&Peer::analyze); }
    void take_values() override {
        one_->take_values();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void factor() override { on_all_ranks(&Peer::factor); }
    void solve() override { on_all_ranks(&Peer::solve); }
    SolverFacts facts() const override { return one_->facts(); }

private:
    void on_all_ranks(void (Peer::*step)()) {
        MPI_Barrier(MPI_COMM_WORLD);
        (one_.get()->*step)();
        MPI_Barrier(MPI_COMM_WORLD);
    }

    std::unique_ptr<Peer> one_;
};

}  // namespace frond::bench
