// SPDX-License-Identifier: BSD-3-Clause
// What refine() asks of right-hand sides, wherever they are: a system whose errors after each step are given.
#include "frond/base/error.hpp"
#include "refinement/refine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

using namespace frond;

namespace {

/// errors[q][s]: of column q after s steps. Notes what it is asked for.
class GivenErrors final : public RefinedSystem {
public:
    explicit GivenErrors(std::vector<std::vector<double>> errors, index_t most = 64)
        : errors_(std::move(errors)), most_(most), best(errors_.size(), -1) {}

    index_t columns() const override { return static_cast<index_t>(errors_.size()); }
    index_t most_at_once() const override { return most_; }
    double norm() const override { return 1; }

    void take(index_t first, index_t count) override {
        blocks.push_back({first, count});
        step_ = 0;
    }
    std::vector<ResidualSizes> measure(std::span<const index_t> columns) override {
        std::vector<ResidualSizes> sizes;
        for (const index_t q : columns) sizes.push_back({1, 0, 0, errors_[place(q)][step_]});
        return sizes;
    }
    void correct(std::span<const index_t> columns) override {
        if (refuses_step == static_cast<index_t>(step_) + 1) throw OutOfMemory("refused");
        corrected.emplace_back(columns.begin(), columns.end());
        ++step_;
    }
    void accept(std::span<const index_t> columns) override {
        for (const index_t q : columns) best[place(q)] = static_cast<int>(step_);
    }
    void give() override { ++given; }

    struct Block {
        index_t first, count;
        bool operator==(const Block&) const = default;
    };

private:
    std::size_t place(index_t q) const { return static_cast<std::size_t>(blocks.back().first + q); }

    std::vector<std::vector<double>> errors_;
    index_t most_;
    std::size_t step_ = 0;

public:
    std::vector<Block> blocks;
    std::vector<std::vector<index_t>> corrected;  // columns of each step
    std::vector<int> best;  // step of the best solution
    int given = 0;
    index_t refuses_step = 0;
};

RefinementOptions until(double target) {
    RefinementOptions options;
    options.target = target;
    return options;
}

using Steps = std::vector<std::vector<index_t>>;

}  // namespace

TEST_CASE("each column ends at the target, or at a step that does not halve its error") {
    // 0: good at once; 1: two steps; 2: the first step helps too little, but is accepted; 3: it makes things worse.
    GivenErrors system({{1e-9}, {1e-3, 1e-5, 1e-9}, {1e-3, 9e-4}, {1e-3, 2e-3}});
    const RefinementReport report = refine(system, until(1e-8));
    CHECK(report.steps == 2);
    CHECK(system.corrected == Steps{{1, 2, 3}, {1}});
    CHECK(system.best == std::vector<int>{0, 2, 1, 0});
    CHECK(report.componentwise == std::vector<double>{1e-9, 1e-9, 9e-4, 1e-3});
    CHECK(report.converged == std::vector<std::uint8_t>{1, 1, 0, 0});
    CHECK(system.given == 1);
    CHECK_FALSE(report.overflowed);
    CHECK(report.needs_gmres(5e-4));
    CHECK_FALSE(report.needs_gmres(1e-3));
}

TEST_CASE("blocks as wide as the system and the options permit") {
    GivenErrors system({{1e-9}, {1e-3, 1e-9}, {1e-9}, {1e-3, 1e-9}, {1e-9}}, 2);
    const RefinementReport report = refine(system, until(1e-8));
    CHECK(system.blocks == std::vector<GivenErrors::Block>{{0, 2}, {2, 2}, {4, 1}});
    CHECK(system.corrected == Steps{{1}, {1}});
    CHECK(report.componentwise == std::vector<double>(5, 1e-9));
    CHECK(system.given == 3);
    RefinementOptions narrow = until(1e-8);
    narrow.block_columns = 1;
    GivenErrors again({{1e-9}, {1e-9}}, 2);
    refine(again, narrow);
    CHECK(again.blocks == std::vector<GivenErrors::Block>{{0, 1}, {1, 1}});
}

TEST_CASE("a solution that is not finite ends it where there is another way, and is refined elsewhere") {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    RefinementOptions options = until(1e-8);
    options.ends_at_overflow = true;
    GivenErrors ends({{1e-9}, {infinite, 1e-9}});
    CHECK(refine(ends, options).overflowed);
    CHECK(ends.given == 0);
    CHECK(ends.corrected.empty());
    GivenErrors goes_on({{1e-9}, {infinite, 1e-9}});
    const RefinementReport report = refine(goes_on, until(1e-8));
    CHECK_FALSE(report.overflowed);
    CHECK(report.all_converged());
    CHECK(goes_on.best == std::vector<int>{0, 1});
}

TEST_CASE("a step that memory is refused to is the last of its block; its solutions are given") {
    GivenErrors system({{1e-2, 1e-4, 1e-9}, {1e-2, 1e-4, 1e-9}}, 1);
    system.refuses_step = 2;
    const RefinementReport report = refine(system, until(1e-8));
    CHECK(report.ran_out_of_memory);
    CHECK(report.steps == 1);
    CHECK(system.best == std::vector<int>{1, 1});
    CHECK(report.componentwise == std::vector<double>{1e-4, 1e-4});
    CHECK(system.given == 2);
}

TEST_CASE("a rule without a target is refused") {
    GivenErrors system(std::vector<std::vector<double>>{{1e-9}});
    CHECK_THROWS_AS(refine(system, {}), InvalidArgument);
    CHECK(system.blocks.empty());
}
