// SPDX-License-Identifier: BSD-3-Clause
// Trees in so little of a device's memory that single fronts are there by strips of columns, against the same in one
// piece. Without a device cores do all of them.
#include "grid_systems.hpp"
#include "kept_tree.hpp"
#include "needs_device.hpp"
#include "planted_trouble.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
double error_of(const Factors<T>& factors, const SparseMatrix<T>& a) {
    const RhsBlock<T> x = unrefined(factors), b = RhsBlock<T>::random(a.rows(), 1, 31);
    return componentwise_error(dense(a), widened(x), widened(b));
}

/// How often trees were so.
struct Seen {
    int by_strips = 0, with_host_blocks = 0, with_device_blocks = 0, strips = 0, split = 0, with_delays = 0;

    void add(const KeptTree& kept) {
        if (kept.strips == 0) return;
        ++by_strips;
        ++(kept.saved_host_bytes > 0 ? with_host_blocks : with_device_blocks);
        strips += static_cast<int>(kept.strips);
    }
};

/// The bytes of the squares of two levels of fronts, and of the largest front.
template <class T>
std::pair<double, double> squares_bytes(const AssemblyTree& tree) {
    std::vector<std::size_t> depth(tree.fronts.size(), 0);
    std::vector<double> of_level(tree.fronts.size(), 0);
    double most[2] = {0, 0}, largest = 0;
    for (std::size_t f = tree.fronts.size(); f-- > 0;) {
        const Front& front = tree.fronts[f];
        if (front.parent >= 0) depth[f] = depth[static_cast<std::size_t>(front.parent)] + 1;
        const double square = static_cast<double>(front.nfront) * front.nfront * sizeof(T);
        largest = std::max(largest, square);
        of_level[depth[f]] += square;
        most[depth[f] % 2] = std::max(most[depth[f] % 2], of_level[depth[f]]);
    }
    return {most[0] + most[1], largest};
}

template <class T>
void check_in_less_and_less(index_t points, const Kind& kind, const ForcedMapping& mapping, Seen& seen) {
    const SparseMatrix<T> a = grid<T>(points, kind);
    std::optional<KeptTree> whole;
    std::optional<FactorReport> expected;
    double tables = 0, largest = 0;
    index_t fronts_of_whole = 0;
    {
        const Factors<T> factors = factored(a, kind.factorization, mapping, FactorPlace::automatic);
        whole = kept_tree<T>();
        expected = factors.report();
        const auto [squares, front] = squares_bytes<T>(factors.analysis().tree);
        tables = whole ? static_cast<double>(whole->tree_bytes) - squares : 0;
        largest = front;
        fronts_of_whole = factors.analysis().tree.front_count();
    }  // what it holds of the device goes
    for (const double fronts : {2.5, 1.5, 1.1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3}) {
        CAPTURE(fronts);
        const LimitedRoom limited(static_cast<count_t>(tables + fronts * largest));
        const Factors<T> factors = factored(a, kind.factorization, mapping, FactorPlace::automatic);
        const std::optional<KeptTree> kept = kept_tree<T>();
        CHECK(factors.report().status == expected->status);
        CHECK(error_of(factors, a) <= (kind.diagonal > 6 ? 1 : 100) * 450 * epsilon<T>());
        if (!factors.report().place.on_device) return;
        REQUIRE(kept.has_value());
        CHECK(static_cast<double>(kept->tree_bytes) <= tables + fronts * largest);
        seen.add(*kept);
        seen.with_delays += kept->strips > 0 && factors.report().pivots.delayed > 0 ? 1 : 0;
        seen.split += factors.analysis().tree.front_count() > fronts_of_whole ? 1 : 0;
        if (expected->pivots.inertia)
            CHECK(factors.report().pivots.inertia.value().negative == expected->pivots.inertia->negative);
    }
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

template <class T>
static void check_fronts_by_strips() {
    int with_delays = 0;
    const index_t points = size_here(8, 6);
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        CAPTURE(kind.diagonal);
        for (const ForcedMapping& mapping :
             {ForcedMapping{"one subtree", 16, points * points * points}, ForcedMapping{"tiles", 40, 0}}) {
            CAPTURE(std::string(mapping.name));
            Seen seen;
            check_in_less_and_less<T>(points, kind, mapping, seen);
            with_delays += seen.with_delays;
            if (!has_device() || kind.diagonal < 6) continue;
            CHECK(seen.by_strips > 0);
            CHECK(seen.strips > 2 * seen.by_strips);
            CHECK(seen.with_host_blocks > 0);
            CHECK(seen.split > 0);
        }
    }
    CHECK((with_delays > 0) == has_device());
}
FROND_LONG_DEVICE_CASES("each kernel of fronts by strips", check_fronts_by_strips, Scalars);

TEST_SUITE_END();
