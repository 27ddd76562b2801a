// SPDX-License-Identifier: BSD-3-Clause
// Products of blocks with many vectors by the kernel itself, on the device that the host plays: in both ways that sums
// are made, whichever the solve takes there.
#include "frond/base/vector_index.hpp"
#include "kernels/substitution/tile_by_lanes.hpp"
#include "kernels/substitution/tile_by_matrix_units.hpp"
#include "kernels/substitution/tile_kernel.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "solve/cut_chunks.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Found by trial, for sums of random numbers below 1 in size; what holds for all is the square of the number of terms.
constexpr double largest_error_in_eps = 200;

/// One product of several pieces: target - sum or the sum, a copy of it in another order, and sources in another order.
template <class T>
class OneProduct {
    using S = gpu::DeviceScalar<T>;

public:
    OneProduct(index_t outputs, const std::vector<index_t>& lengths, index_t rhs, bool transposed, bool subtract)
        : outputs_(outputs), rhs_(rhs), transposed_(transposed), subtract_(subtract), random_(7) {
        for (const index_t length : lengths) {
            lengths_.push_back(length);
            matrices_.push_back(values((transposed ? length : outputs) + 3, transposed ? outputs : length));
            sources_.push_back(values(length + 1, rhs));
            orders_.push_back(shuffled(length));
        }
        before_ = values(ld(), rhs);
        copy_order_ = shuffled(outputs);
    }

    /// launch(tables, tiles, shared): leaves the target and the copy.
    template <class Launch>
    void run(Launch launch) {
        gpu::SolvePhases<S> tables;
        target_ = before_;
        copy_.assign(target_.size(), T(0));
        tables.products.push_back({0, static_cast<index_t>(lengths_.size()), outputs_, subtract_, there(target_), ld(),
                                   there(copy_), ld(), copy_order_.data()});
        for (std::size_t n = 0; n < lengths_.size(); ++n) {
            const index_t rows = transposed_ ? lengths_[n] : outputs_, cols = transposed_ ? outputs_ : lengths_[n];
            tables.pieces.push_back({there(matrices_[n]), rows + 3, there(sources_[n]), lengths_[n] + 1,
                                     n % 2 == 0 ? orders_[n].data() : nullptr, rows, cols, gpu::Shape::full});
        }
        gpu::SolvePhase phase;
        gpu::ChunkCutter<S>(tables, 0, transposed_).cut_tiles(phase);
        shared_tiles_ = tables.shared_tiles;
        const count_t rounds = (rhs_ + gpu::tile_vectors - 1) / gpu::tile_vectors;
        std::vector<T> sums(at(tables.shared_tiles * rounds * gpu::tile_vectors * gpu::tile_outputs<S>));
        std::vector<unsigned> counters(at(tables.shared_tiles * rounds), 0);
        launch(gpu::SolveTables<S>{tables.products.data(), tables.pieces.data()}, tables.tiles,
               gpu::SharedSums<S>{there(sums), counters.data()});
        CHECK(std::all_of(counters.begin(), counters.end(), [](unsigned c) { return c == 0; }));
    }

    void check(bool conjugated) const {
        double worst = 0;
        for (index_t v = 0; v < rhs_; ++v)
            for (index_t i = 0; i < outputs_; ++i) {
                const T sum = reference(i, v, conjugated), was = before_[at(i + v * ld())];
                const T x = target_[at(i + v * ld())];
                worst = std::max(worst, double(std::abs(x - (subtract_ ? was - sum : sum))));
                REQUIRE(copy_[at(copy_order_[at(i)] + v * ld())] == x);
            }
        CHECK(worst <= largest_error_in_eps * epsilon<T>());
        for (index_t v = 0; v < rhs_; ++v)  // what is behind the outputs
            for (count_t i = outputs_; i < ld(); ++i) REQUIRE(target_[at(i + v * ld())] == before_[at(i + v * ld())]);
    }

    const std::vector<T>& target() const { return target_; }
    count_t shared_tiles() const { return shared_tiles_; }

private:
    count_t ld() const { return outputs_ + 5; }
    static S* there(std::vector<T>& v) { return reinterpret_cast<S*>(v.data()); }
    std::vector<T> values(count_t rows, index_t cols) {
        std::vector<T> all(at(rows * cols));
        for (T& v : all) v = random_.template value<T>();
        return all;
    }
    std::vector<index_t> shuffled(index_t count) {
        std::vector<index_t> order(at(count));
        std::iota(order.begin(), order.end(), 0);
        for (index_t i = count - 1; i > 0; --i) std::swap(order[at(i)], order[at(random_.below(i + 1))]);
        return order;
    }
    T reference(index_t i, index_t v, bool conjugated) const {
        T sum(0);
        for (std::size_t n = 0; n < lengths_.size(); ++n) {
            const count_t matrix_ld = (transposed_ ? lengths_[n] : outputs_) + 3;
            for (index_t k = 0; k < lengths_[n]; ++k) {
                T a = matrices_[n][at(transposed_ ? k + i * matrix_ld : i + k * matrix_ld)];
                if constexpr (is_complex<T>)
                    if (conjugated) a = std::conj(a);
                sum += a * sources_[n][at((n % 2 == 0 ? orders_[n][at(k)] : k) + v * (lengths_[n] + 1))];
            }
        }
        return sum;
    }

    index_t outputs_, rhs_;
    bool transposed_, subtract_;
    Random random_;
    std::vector<index_t> lengths_, copy_order_;
    std::vector<std::vector<T>> matrices_, sources_;
    std::vector<std::vector<index_t>> orders_;
    std::vector<T> before_, target_, copy_;
    count_t shared_tiles_ = 0;
};

template <class T, class Sums>
void check_products(index_t outputs, const std::vector<index_t>& lengths, index_t rhs, bool subtract, bool is_shared) {
    using S = gpu::DeviceScalar<T>;
    OneProduct<T> product(outputs, lengths, rhs, Sums::is_transposed, subtract);
    for (const bool conjugated : {false, true}) {
        const auto run = [&] {
            product.run([&](const auto& tables, const auto& tiles, const auto& shared) {
                gpu::launch_tiles<S, Sums>(nullptr, tables, tiles.data(), static_cast<count_t>(tiles.size()), shared,
                                           conjugated, rhs);
            });
        };
        run();
        product.check(conjugated);
        CHECK((product.shared_tiles() > 0) == is_shared);
        const std::vector<T> once = product.target();
        run();  // blocks in the other order
        CHECK(product.target() == once);
    }
}

template <class T, class Sums>
void check_all() {
    check_products<T, Sums>(70, {45, 17}, 130, true, false);
    check_products<T, Sums>(33, {150, 75, 9}, 20, false, true);
    check_products<T, Sums>(1, {1}, 1, true, false);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("tiles of vectors by lanes", T, by_lanes) {
    check_all<T, gpu::TileByLanes<gpu::DeviceScalar<T>, false>>();
    check_all<T, gpu::TileByLanes<gpu::DeviceScalar<T>, true>>();
}
TEST_CASE_TEMPLATE_APPLY(by_lanes, Scalars);

TEST_CASE_TEMPLATE_DEFINE("tiles of vectors by matrix units", T, by_matrix_units) {
    if constexpr (std::is_same_v<real_t<T>, double>) {
        check_all<T, gpu::TileByMatrixUnits<gpu::DeviceScalar<T>, false>>();
        check_all<T, gpu::TileByMatrixUnits<gpu::DeviceScalar<T>, true>>();
    }
}
TEST_CASE_TEMPLATE_APPLY(by_matrix_units, Scalars);
