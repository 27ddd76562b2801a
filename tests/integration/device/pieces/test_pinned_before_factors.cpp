// SPDX-License-Identifier: BSD-3-Clause
// Memory of the host that is pinned beside the analysis: a factorization takes it, or it goes with the analysis.
#include "cut_trees.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_device.hpp"
#include "refused_memory.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

HostHeap& pinned_heap() { return detail::state_of(device_session())->pinned_heap(); }

/// The least room with which the tree is done in pieces.
count_t least_room(const SparseMatrix<double>& matrix) {
    const std::vector<Cut> cuts = cuts_of<double>(analyze(matrix).analysis);
    return cuts.empty() ? 0 : cuts.back().room_bytes;
}

class AnalysedWithLittleRoom {
public:
    AnalysedWithLittleRoom() : matrix_(poisson3d<double>(20).matrix), room_(least_room(matrix_)) {
        forget_kept_memory();
        before_ = pinned_heap().mapped_bytes();
        solver_.emplace(device_session());
        solver_->analyze(matrix_);
        detail::state_of(device_session())->pinned_ahead().wait();
    }
    count_t new_bytes() const { return pinned_heap().mapped_bytes() - before_; }
    Solver<double>& solver() { return *solver_; }
    void end() { solver_.reset(); }
    const SparseMatrix<double>& matrix() const { return matrix_; }

private:
    SparseMatrix<double> matrix_;
    LimitedRoom room_;
    count_t before_ = 0;
    std::optional<Solver<double>> solver_;
};

}  // namespace

TEST_SUITE_BEGIN(needs_one_device);

TEST_CASE("memory pinned before a factorization is what that writes") {
    AnalysedWithLittleRoom system;
    const count_t ahead = system.new_bytes();
    CHECK(ahead > 0);
    const FactorReport report = system.solver().factor(system.matrix(), {.place = FactorPlace::device});
    CHECK(report.place.on_device);
    CHECK(kept_tree<double>()->factors_on_host);
    CHECK(system.new_bytes() == ahead);  // as small a tree takes a part of it
    const FactorReport again = system.solver().factor(system.matrix(), {.place = FactorPlace::device});
    CHECK(again.place.on_device);
    CHECK(system.new_bytes() == ahead);
}

TEST_CASE("memory pinned before a factorization goes with an analysis that is never factored") {
    AnalysedWithLittleRoom system;
    CHECK(system.new_bytes() > 0);
    system.end();
    CHECK(system.new_bytes() == 0);
}

TEST_CASE("memory pinned before a factorization is given back when asked for") {
    AnalysedWithLittleRoom system;
    CHECK(system.new_bytes() > 0);
    detail::state_of(device_session())->give_back_memory();
    CHECK(system.new_bytes() == 0);
    system.solver().factor(system.matrix(), {.place = FactorPlace::device});
    CHECK(kept_tree<double>()->factors_on_host);
}

TEST_SUITE_END();
