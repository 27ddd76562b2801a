// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/message.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::detail;

TEST_CASE("what is packed is unpacked, and a message that ends early is refused") {
    Packer pack;
    int number = 7;
    std::string text = "row", empty;
    std::vector<double> list{1.5, -2};
    std::optional<double> none, some = 3.0;
    pack(number, text, empty, list, none, some);

    int number_again = 0;
    std::string text_again, empty_again = "x";
    std::vector<double> list_again;
    std::optional<double> none_again = 1.0, some_again;
    Unpacker unpack(pack.bytes());
    unpack(number_again, text_again, empty_again, list_again, none_again, some_again);
    CHECK(number_again == 7);
    CHECK(text_again == "row");
    CHECK(empty_again.empty());
    CHECK(list_again == list);
    CHECK_FALSE(none_again.has_value());
    CHECK(some_again == 3.0);

    for (std::size_t kept = 0; kept < pack.bytes().size(); ++kept) {
        const std::vector<std::byte> cut(pack.bytes().begin(),
                                         pack.bytes().begin() + static_cast<std::ptrdiff_t>(kept));
        Unpacker shorter(cut);
        CHECK_THROWS_AS(shorter(number_again, text_again, empty_again, list_again, none_again, some_again),
                        RuntimeError);
    }
}
