// SPDX-License-Identifier: BSD-3-Clause
// A small tree without trouble, in pieces with little room, and what its factorizations must say.
#pragma once

#include "cut_trees.hpp"
#include "planted_broom.hpp"
#include "refused_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <memory>

namespace frond::test {

/// Where factors are between the pieces: all on the device, or some in pinned memory of the host. Contribution blocks are
/// on the device in these small trees (some of test_fronts_by_strips.cpp are on the host).
enum class Between : std::uint8_t { device, host };

/// In pieces while it lives.
template <class T = double>
class SoundTree {
public:
    SoundTree(Factorization kind, Symmetry symmetry, Between where)
        : broom_({3, 2, 8, 3, 1}, kind, symmetry), cut_(cut(where)), limited_(cut_.room_bytes) {
        const Factors<T> first = in_pieces();
        expected_ = std::make_unique<RhsBlock<T>>(unrefined(first));
        const auto b = RhsBlock<T>::random(broom_.order(), 1, 31);
        CHECK(componentwise_error(dense(broom_.sound()), widened(*expected_), widened(b)) <= 450 * epsilon<T>());
    }

    index_t pieces() const { return cut_.pieces; }

    /// On the device if it can be.
    Factors<T> factored(const std::atomic<bool>* cancel = nullptr) const {
        FactorOptions options;
        options.cancel = cancel;
        return factorize(device_session(), broom_.analysed().analysis, broom_.sound(), options,
                         &broom_.analysed().scaling);
    }

    /// Must be there.
    Factors<T> in_pieces() const {
        Factors<T> factors = factored();
        INFO(factors.report().place.reason);
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(factors.report().place.on_device);
        const std::optional<KeptTree> tree = kept_tree<T>();
        REQUIRE(tree.has_value());
        CHECK(tree->pieces == cut_.pieces);
        CHECK(tree->factors_on_host == cut_.factors_on_host);
        return factors;
    }

    /// As the first time, to the bit.
    void check_again() const { CHECK(unrefined(in_pieces()) == *expected_); }

    /// By the pieces' factors, on the device where they are there.
    void check_solve() const {
        const auto b = RhsBlock<T>::random(broom_.order(), 2, 5);
        RhsBlock<T> x(broom_.order(), 2);
        CHECK(solve(in_pieces(), b.view(), x.view()).status == SolveStatus::converged);
        CHECK(componentwise_error(dense(broom_.sound()), widened(x), widened(b)) <= 450 * epsilon<T>());
    }

    /// Wherever it was done.
    void check_right(const Factors<T>& factors) const {
        CHECK(factors.report().status == FactorStatus::success);
        const auto b = RhsBlock<T>::random(broom_.order(), 1, 31);
        CHECK(componentwise_error(dense(broom_.sound()), widened(unrefined(factors)), widened(b)) <=
              450 * epsilon<T>());
    }

private:
    /// Many pieces, with as much room as they leave.
    Cut cut(Between where) const {
        const std::vector<Cut> cuts = cuts_of<T>(broom_.analysed().analysis);
        const auto found = std::find_if(cuts.begin(), cuts.end(), [&](const Cut& cut) {
            const bool is_there = cut.factors_on_host == (where == Between::host) && !cut.blocks_on_host;
            return is_there && cut.pieces >= least_pieces;
        });
        REQUIRE(found != cuts.end());
        return *found;
    }

    static constexpr index_t least_pieces = 6;

    const PlantedBroom<T> broom_;
    const Cut cut_;
    const LimitedRoom limited_;
    std::unique_ptr<RhsBlock<T>> expected_;
};

}  // namespace frond::test
