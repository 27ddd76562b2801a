// SPDX-License-Identifier: BSD-3-Clause
// Fronts for accept_pivots, with and without columns that fail; for the kernel of cores and for the task.
#pragma once

#include "random_sparse.hpp"
#include "accept_checks.hpp"

#include <string>

namespace frond::test {

struct AcceptKind {
    Factorization kind;
    const char* name;
};

constexpr AcceptKind accept_kinds[] = {{Factorization::ldlt, "ldlt"},
                                       {Factorization::ldlh, "ldlh"},
                                       {Factorization::lu, "lu"}};

template <class T>
PivotRule accept_rule(double u = 0.1) {
    PivotRule r;
    r.threshold = u;
    r.smallest_pivot = 4;
    r.zero_pivot = 1000 * epsilon<T>();
    return r;
}

/// 3 panels of 5, 7 and 4 columns, contribution tiles of 6 and 3 rows.
inline const std::vector<index_t> accept_cuts{0, 5, 12, 16, 22, 25};

constexpr index_t accept_panels = 3;

template <class T>
AcceptedFront<T> accepted_front(const AcceptKind& k, bool at_root = false) {
    return at_root ? AcceptedFront<T>(k.kind, {0, 5, 12, 16}, accept_panels, true)
                   : AcceptedFront<T>(k.kind, accept_cuts, accept_panels, false);
}

/// Random entries; columns (and rows) in `failing` have entries of 1e-7 among the own ones, so that
/// no pivot there stands up to the rows below; partner(c): the row with a large entry in column c.
template <class T, class Partner>
void fill_failing(AcceptedFront<T>& front, const std::vector<index_t>& failing, Partner partner) {
    RandomValues values(17);
    const auto fails = [&](index_t c) { return std::find(failing.begin(), failing.end(), c) != failing.end(); };
    front.fill([&](index_t i, index_t j) {
        const T x = values.next<T>();
        if ((fails(j) && partner(j) == i) || (fails(i) && partner(i) == j)) return x + T(6);
        if (std::max(i, j) < 16 && (fails(i) || fails(j))) return x * T(real_t<T>(1e-7));
        return i == j ? x + T(8) : x;
    });
}

/// Nothing fails: every panel keeps all.
template <class T>
void check_easy_fronts(const typename AcceptedFront<T>::Accept& accept) {
    for (const AcceptKind& k : accept_kinds) {
        CAPTURE(std::string(k.name));
        AcceptedFront<T> front = accepted_front<T>(k);
        front.accept = accept;
        fill_failing(front, {}, [](index_t) { return -1; });
        front.run(accept_rule<T>());
        CHECK(front.kept == std::vector<index_t>{5, 7, 4});
        CHECK(front.second_pass.cols() == 0);
        CHECK(front.delayed.empty());
    }
}

/// Fronts of all sizes of tiles, with zeros everywhere.
template <class T>
void check_random_fronts(const typename AcceptedFront<T>::Accept& accept, std::uint64_t seeds) {
    for (const AcceptKind& k : accept_kinds)
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            CAPTURE(std::string(k.name));
            CAPTURE(seed);
            Random random(seed);
            std::vector<index_t> tiles{0};
            const index_t own = 1 + random.below(4), others = random.below(3);
            for (index_t t = 0; t < own + others; ++t) tiles.push_back(tiles.back() + 1 + random.below(9));
            AcceptedFront<T> front(k.kind, tiles, own, others == 0);
            front.accept = accept;
            const index_t share = random.below(3);
            front.fill([&](index_t i, index_t j) {
                const T x = random.value<T>();
                if (i == j) return random.below(3) < share ? x : T(0);
                return random.below(3) == 0 ? x : T(0);
            });
            front.run(accept_rule<T>(seed % 2 == 0 ? 0.1 : 0.01));
        }
}

}  // namespace frond::test
