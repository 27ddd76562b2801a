// SPDX-License-Identifier: BSD-3-Clause
// Files of which a few bytes are others, for readers that must take them or refuse them with an error of Frond.
#pragma once

#include "frond/base/error.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <random>
#include <string>
#include <string_view>

namespace frond::test {

/// Files a reader: FROND_TEST_MUTATIONS, else 150.
inline int mutations() {
    const char* const text = std::getenv("FROND_TEST_MUTATIONS");
    return text != nullptr ? std::max(1, std::atoi(text)) : 150;
}

/// One to four times a byte becomes another one, some are taken out, put in, or there twice, or the end is cut off. Half of
/// the new bytes are zero.
class Mutator {
public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::string operator()(std::string text) {
        for (int left = 1 + below(4); left > 0; --left) change(text);
        return text;
    }

private:
    int below(std::size_t limit) {
        return static_cast<int>(random_() % std::max<std::size_t>(1, limit));  // the same with any library
    }

    char new_byte() {
        constexpr std::string_view likely("\n\r\t -+.,eE0199%(){}[]\":x\033\177\200\303\377");
        return below(2) == 0 ? '\0' : likely[static_cast<std::size_t>(below(likely.size()))];
    }

    void change(std::string& text) {
        const auto at = static_cast<std::size_t>(below(text.size() + 1));
        const auto length = static_cast<std::size_t>(1 + below(8));
        switch (below(6)) {
            case 0:
                text.erase(at, length);
                break;
            case 1:
                text.insert(at, text.substr(at, length));
                break;
            case 2:
                if (below(4) == 0) text.resize(at);
                break;
            case 3:
                text.insert(at, 1, new_byte());
                break;
            default:
                if (at < text.size()) text[at] = new_byte();
        }
    }

    std::mt19937 random_;
};

/// read(path) of so many files with that suffix ends well or with an Error, whose text a terminal only shows; both do come.
template <class Read>
void check_mutations(const std::string& text, const std::string& suffix, Read&& read) {
    int taken = 0, refused = 0;
    for (int seed = 0; seed < mutations(); ++seed) {
        const TemporaryFile file(suffix, Mutator(static_cast<unsigned>(seed))(text) + "\n");
        CAPTURE(seed);
        try {
            read(file.path());
            ++taken;
        } catch (const Error& error) {
            const std::string_view words(error.what());
            CHECK(std::none_of(words.begin(), words.end(),
                               [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; }));
            ++refused;
        } catch (const std::exception& other) {
            FAIL_CHECK("not an error of Frond: " << other.what());
        }
    }
    CHECK(refused > 0);
    CHECK(taken + refused == mutations());
}

}  // namespace frond::test
