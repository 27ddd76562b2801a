// SPDX-License-Identifier: BSD-3-Clause
// Where columns are in a list that ranks fill one behind the other.
#include "some_ranks.hpp"
#include "factors/listed_pivots.hpp"

using namespace frond;
using detail::ColumnPlaces;

TEST_CASE("listed pivots: columns of one rank after the other, each rank's in their order") {
    ColumnPlaces places;
    places.add(10, 20);  // of the first rank: two units side by side, and one further on
    places.add(20, 25);
    places.add(40, 42);
    places.add(0, 10);  // of the next one
    places.add(30, 30);
    places.add(30, 40);
    places.sort();
    CHECK(places.columns() == 37);
    CHECK(places.place(10) == 0);
    CHECK(places.place(24) == 14);
    CHECK(places.place(40) == 15);
    CHECK(places.place(0) == 17);
    CHECK(places.place(9) == 26);
    CHECK(places.place(30) == 27);
    CHECK(places.place(39) == 36);
    for (const index_t elsewhere : {25, 29, 42, 1000}) CHECK(places.place(elsewhere) < 0);
    CHECK(ColumnPlaces().place(0) < 0);
}
