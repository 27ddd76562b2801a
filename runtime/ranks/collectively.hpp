// SPDX-License-Identifier: BSD-3-Clause
// One error for all ranks.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ranks/communicator.hpp"

namespace frond::detail {

/// Whether the message of an error begins with the rank that it comes from.
enum class NameRank : bool { no, yes };

/// Collective. Where ranks give errors, all throw that of the first of them; else nothing happens.
void throw_together(Communicator& ranks, std::exception_ptr mine, NameRank name = NameRank::yes);

/// body() on each rank, without collective calls in it; all ranks then throw what the first one threw that did.
template <class Body>
void collectively(Communicator& ranks, Body&& body, NameRank name = NameRank::yes) {
    std::exception_ptr error;
    try {
        std::forward<Body>(body)();
    } catch (...) {
        error = std::current_exception();
    }
    throw_together(ranks, std::move(error), name);
}

/// So many bytes a rank gets, also where it is refused more: for lists over the ranks, notes, small reports and texts. What
/// takes more memory is taken in collectively().
constexpr count_t always_there_bytes = 4096;

/// body() for something of so many bytes on all ranks: with an agreement where they may be refused.
template <class Body>
void where_large(Communicator& ranks, count_t bytes, Body&& body) {
    if (bytes > always_there_bytes)
        collectively(ranks, std::forward<Body>(body));
    else
        std::forward<Body>(body)();
}

/// The bytes of rank `root`, as many as that has.
void broadcast_bytes(Communicator& ranks, std::vector<std::byte>& bytes, index_t root);
/// Broadcasts bytes that make() fills on rank `root`; what it throws there, all ranks throw.
void broadcast_made(Communicator& ranks, std::vector<std::byte>& bytes, index_t root,
                    const std::function<void()>& make);

/// Collective: the text of rank 0.
std::string text_of_rank_0(Communicator& ranks, const std::string& text);

/// What must be the same on all ranks: names in the same order, and their values as text.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// Collective, whatever this rank has found wrong before. @throws  on all ranks: that error; InvalidArgument with the first
///         name whose values differ, two of these, and ranks
void expect_agreement(Communicator& ranks, const NamedValues& mine, std::exception_ptr error = nullptr);

}  // namespace frond::detail
