// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"
#include "ranked/tree/sharing.hpp"
#include "some_ranks.hpp"

#include <string>

namespace frond::test {

/// call() factors while that unit of the victim fails. Returns the text of the error, which is the same on all ranks and names
/// the victim; empty where that rank has no such unit.
template <class Call>
std::string text_of_failing_unit(const SomeRanks& ranks, int victim, index_t unit, const Call& call) {
    detail::failing_unit() = ranks.rank() == victim ? unit : -1;
    std::string text;
    try {
        call();
    } catch (const RuntimeError& error) {
        text = error.what();
    }
    detail::failing_unit() = -1;
    CHECK((text.empty() || text.starts_with("rank " + std::to_string(victim) + ": a unit fails")));
    CHECK(is_same_everywhere(ranks, text));
    return text;
}

}  // namespace frond::test
