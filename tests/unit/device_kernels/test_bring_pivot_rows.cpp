// SPDX-License-Identifier: BSD-3-Clause
// The search for pivot rows of L U by the kernels themselves, on the device that the host plays: fronts of one block of
// threads and of many, whose pivot rows are known.
#include "kernels/dense/bring_pivot_rows.hpp"

#include "frond/base/vector_index.hpp"
#include "hard_systems.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Where the step of each front is; columns before `left` are no longer changed.
constexpr index_t first = 10, left = 4, columns = 50;

enum class Trouble { none, zero_column, no_number };

/// L U whose pivot rows are planted among the others: 1 on the diagonal where others have at most 0.9. In some columns
/// that is so only once the pivots before are eliminated: their rows of U are large, and all rows have much of them.
template <class T>
class PlantedRows {
public:
    PlantedRows(index_t rows, index_t width, Trouble trouble, std::uint64_t seed)
        : rows_(rows), width_(width), trouble_(trouble), random_(seed), order_(at(rows)) {
        std::iota(order_.begin(), order_.end(), first);
        for (index_t i = rows - 1; i > 0; --i) std::swap(order_[at(i)], order_[at(random_.below(i + 1))]);
        make_u();
        data_.resize(at(ld() * columns));
        for (T& v : data_) v = random_.template value<T>();
        for (index_t i = 0; i < rows; ++i) fill(order_[at(i)], row_of_l(i));
    }

    count_t ld() const { return first + rows_ + 3; }
    index_t width() const { return width_; }
    index_t end() const { return first + rows_; }
    const std::vector<T>& data() const { return data_; }
    bool is_planted(index_t row) const { return std::count(order_.begin(), order_.begin() + width_, row) > 0; }
    index_t missing() const { return trouble_ == Trouble::none ? 0 : 2; }

private:
    static bool is_large(index_t k) { return k % 9 == 0; }
    bool is_lost(index_t k) const { return trouble_ != Trouble::none && (k == 5 || k == 12); }

    void make_u() {
        u_.resize(at(width_ * width_), T(0));
        for (index_t k = 0; k < width_; ++k) {
            u_[at(k + k * width_)] = T(1);
            for (index_t j = k + 1; j < width_; ++j)
                u_[at(k + j * width_)] = random_.template value<T>() * real_scalar<T>(is_lost(k)    ? 0
                                                                                      : is_large(k) ? 10
                                                                                                    : 0.5);
        }
    }

    std::vector<T> row_of_l(index_t i) {
        std::vector<T> l(at(width_), T(0));
        for (index_t k = 0; k < std::min(i, width_); ++k) {
            const T small = random_.template value<T>();
            if (is_lost(k)) continue;
            if (i < width_)
                l[at(k)] = small * real_scalar<T>(0.25);
            else
                l[at(k)] = is_large(k) ? real_scalar<T>(i % 2 == 0 ? 0.8 : -0.8) + small * real_scalar<T>(0.05)
                                       : small * real_scalar<T>(0x1p-6);
        }
        if (i < width_) l[at(i)] = T(1);
        return l;
    }

    void fill(index_t row, const std::vector<T>& l) {
        const T lost = trouble_ == Trouble::zero_column ? T(0) : T(std::numeric_limits<real_t<T>>::quiet_NaN());
        for (index_t j = 0; j < width_; ++j) {
            T sum = T(0);
            for (index_t k = 0; k <= j; ++k) sum += l[at(k)] * u_[at(k + j * width_)];
            data_[at(row + (first + j) * ld())] = is_lost(j) ? lost : sum;
        }
    }

    index_t rows_, width_;
    Trouble trouble_;
    Random random_;
    std::vector<index_t> order_;  // of the rows, the planted ones first
    std::vector<T> u_, data_;
};

/// Fronts in one launch, with memory that is kept from search to search.
template <class T>
class Searches {
public:
    explicit Searches(const std::vector<PlantedRows<T>>& fronts)
        : planted_(fronts), data_(fronts.size()), row_of_(fronts.size()) {
        for (const PlantedRows<T>& p : fronts) {
            swaps_.push_back({});
            selections_.emplace_back(at(gpu::pivot_selections(p.end() - first)));
        }
    }

    /// Runs the fronts [begin, end).
    void run(std::size_t begin, std::size_t end) {
        std::vector<gpu::DenseFront<T>> fronts;
        std::vector<gpu::FrontStep> steps;
        gpu::StepLaunch launch;
        for (std::size_t n = 0; n < planted_.size(); ++n) {
            const PlantedRows<T>& p = planted_[n];
            data_[n] = p.data();
            row_of_[n].assign(at(p.end()), 0);
            fronts.push_back({data_[n].data(), p.ld(), columns, p.end(), nullptr, nullptr, nullptr, row_of_[n].data(),
                              &swaps_[n], selections_[n].data()});
            steps.push_back({static_cast<index_t>(n), first, p.width(), left, first, columns, 0, 0, p.end()});
            if (n < begin || n >= end) continue;
            launch.searched_rows = std::max(launch.searched_rows, p.end() - first);
        }
        launch.first = static_cast<index_t>(begin);
        launch.count = static_cast<index_t>(end - begin);
        gpu::begin_row_order<T>(nullptr, fronts.data(), static_cast<index_t>(fronts.size()));
        gpu::bring_pivot_rows<T>(nullptr, fronts.data(), steps.data(), launch);
    }

    const std::vector<index_t>& row_of(std::size_t n) const { return row_of_[n]; }

    void check(std::size_t n) const {
        const PlantedRows<T>& p = planted_[n];
        std::vector<index_t> sorted = row_of_[n], all(at(p.end()));
        std::iota(all.begin(), all.end(), 0);
        std::sort(sorted.begin(), sorted.end());
        REQUIRE(sorted == all);
        for (index_t i = 0; i < first; ++i) CHECK(row_of_[n][at(i)] == i);
        index_t found = 0;
        for (index_t k = 0; k < p.width(); ++k) found += p.is_planted(row_of_[n][at(first + k)]) ? 1 : 0;
        CHECK(found >= p.width() - p.missing());
        check_entries(n);
    }

    std::vector<std::vector<gpu::PivotSelection>>& selections() { return selections_; }

private:
    /// All have gone with their rows, and those on the left not.
    void check_entries(std::size_t n) const {
        const PlantedRows<T>& p = planted_[n];
        index_t wrong = 0;
        for (index_t j = 0; j < columns; ++j)
            for (index_t i = 0; i < p.end(); ++i) {
                const T* const from = &p.data()[at((j < left ? i : row_of_[n][at(i)]) + j * p.ld())];
                wrong += std::memcmp(from, &data_[n][at(i + j * p.ld())], sizeof(T)) == 0 ? 0 : 1;
            }
        CHECK(wrong == 0);
    }

    const std::vector<PlantedRows<T>>& planted_;
    std::vector<std::vector<T>> data_;
    std::vector<std::vector<index_t>> row_of_;
    std::vector<gpu::RowSwaps> swaps_;
    std::vector<std::vector<gpu::PivotSelection>> selections_;
};

}  // namespace

TEST_CASE("a search has room for each selection but a single one") {
    CHECK(gpu::pivot_selections(33) == 0);
    CHECK(gpu::pivot_selections(256) == 0);
    CHECK(gpu::pivot_selections(257) == 2 + 1);
    CHECK(gpu::pivot_selections(2048) == 8 + 1);
    CHECK(gpu::pivot_selections(2049) == 9 + 2 + 1);
}

// 2100 rows: nine blocks of threads, whose rows meet in two, and those in one.
TEST_CASE_TEMPLATE_DEFINE("planted pivot rows are found and brought to the step", T, planted_rows) {
    for (const Trouble trouble : {Trouble::none, Trouble::zero_column, Trouble::no_number}) {
        CAPTURE(static_cast<int>(trouble));
        std::vector<PlantedRows<T>> fronts;
        std::uint64_t seed = 1;
        for (const auto& [rows, width] : std::vector<std::pair<index_t, index_t>>{
                 {2100, 32}, {40, 32}, {32, 32}, {300, 19}, {65, 32}, {200, 31}, {257, 32}})
            fronts.emplace_back(rows, width, trouble, seed++);
        Searches<T> searches(fronts);
        searches.run(0, fronts.size());
        std::vector<std::vector<index_t>> row_of;
        for (std::size_t n = 0; n < fronts.size(); ++n) {
            CAPTURE(n);
            searches.check(n);
            row_of.push_back(searches.row_of(n));
            for (const gpu::PivotSelection& selection : searches.selections()[n]) CHECK(selection.arrived == 0);
        }
        // A front alone, in as few threads as it needs, and all a second time: the same rows.
        for (std::size_t n = 1; n < fronts.size(); ++n) {
            CAPTURE(n);
            searches.run(n, n + 1);
            CHECK(searches.row_of(n) == row_of[n]);
        }
        searches.run(0, fronts.size());
        for (std::size_t n = 0; n < fronts.size(); ++n) CHECK(searches.row_of(n) == row_of[n]);
    }
}
TEST_CASE_TEMPLATE_APPLY(planted_rows, Scalars);
