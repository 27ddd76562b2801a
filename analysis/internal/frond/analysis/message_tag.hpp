// SPDX-License-Identifier: BSD-3-Clause
// The names of messages between ranks: numbers of 63 bits, of which two messages under way between the same two ranks,
// whichever of them sends, never have the same. Nothing here knows of MPI.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/contract.hpp"

namespace frond {

/// The kinds of messages of a solve; their numbers follow those of a factorization, so that both are kinds of a tag.
enum class SolveMessageKind : std::uint8_t {
    contribution_rows =
        static_cast<int>(MessageKind::row_exchanges) + 1,  // of a unit's contribution vector: to the rank
    // of its parent, and back with the solution
    second_pass_rows,  // of x, which a second pass names: to the rank of its unit, and back with the solution
    front_segment  // of the vectors of a shared front: to the rank of the next tile that uses it
};

/// solver 11 bits | call 4 | unit 21 | kind 5 | index 22. Messages of one pair of ranks differ in one of them as long as
/// a solver has at most 16 calls under way.
struct MessageTag {
    static constexpr int solver_bits = 11, call_bits = 4, unit_bits = 21, kind_bits = 5, index_bits = 22;

    std::int64_t solver = 0;  // SolverNumbers
    std::int64_t call = 0;  // of the solver, modulo 16
    std::int64_t unit = 0;  // the front of the message
    std::int64_t kind = 0;  // MessageKind or SolveMessageKind
    std::int64_t index = 0;  // MessageNumbers; of solves, see RowExchange

    bool operator==(const MessageTag&) const = default;

    /// >= 0.
    /// @throws InvalidArgument where a part does not fit its bits
    std::int64_t packed() const {
        std::int64_t tag = 0;
        append(tag, solver, solver_bits, "solver");
        append(tag, call, call_bits, "call");
        append(tag, unit, unit_bits, "unit");
        append(tag, kind, kind_bits, "kind");
        append(tag, index, index_bits, "index");
        return tag;
    }
    static MessageTag unpacked(std::int64_t tag) {
        MessageTag parts;
        parts.index = split(tag, index_bits);
        parts.kind = split(tag, kind_bits);
        parts.unit = split(tag, unit_bits);
        parts.call = split(tag, call_bits);
        parts.solver = split(tag, solver_bits);
        return parts;
    }

private:
    static void append(std::int64_t& tag, std::int64_t part, int bits, const char* name) {
        FROND_EXPECTS(part >= 0 && part < std::int64_t{1} << bits,
                      std::string("the ") + name + " of a message is " + std::to_string(part) +
                          ", but its tag has room for 0 .. " + std::to_string((std::int64_t{1} << bits) - 1) +
                          "; factor this matrix on one rank");
        tag = tag << bits | part;
    }
    static std::int64_t split(std::int64_t& tag, int bits) {
        const std::int64_t part = tag & ((std::int64_t{1} << bits) - 1);
        tag >>= bits;
        return part;
    }
};

/// Numbers the messages of one front as one rank sees them: those of a kind between it and another rank count from 0, in
/// the order of the plan, which both see alike. Both directions count together: StarPU-MPI 1.4.10 takes a message of the
/// same tag that goes the other way for this one (decision 33).
class MessageNumbers {
public:
    explicit MessageNumbers(index_t rank) : rank_(rank) {}

    static bool concerns(const Message& message, index_t rank) {
        return message.source == rank || message.destination == rank;
    }
    /// The tag of the next message that the rank sends or receives.
    std::int64_t next(const Message& message) {
        return next_[{message.source == rank_ ? message.destination : message.source, message.kind}]++;
    }

private:
    index_t rank_;
    std::map<std::pair<index_t, MessageKind>, std::int64_t> next_;
};

/// Which numbers of solvers are taken on this rank. Ranks may give numbers back at different times: so a new solver
/// takes the first that is free on all of them, of the union of what each has taken (a bitwise or of the words).
/// One thread at a time.
class SolverNumbers {
public:
    static constexpr index_t most = index_t{1} << MessageTag::solver_bits;
    using Words = std::vector<std::uint64_t>;  // bit n % 64 of word n / 64

    const Words& taken() const { return taken_; }
    /// @throws InvalidArgument where all are taken
    static index_t first_free(const Words& taken) {
        for (index_t n = 0; n < most; ++n)
            if ((taken[word(n)] >> (n % 64) & 1) == 0) return n;
        throw InvalidArgument(std::to_string(most) + " solvers share this communicator; destroy one before the next");
    }
    void take(index_t number) {
        FROND_EXPECTS(number >= 0 && number < most && !is_taken(number),
                      "the number " + std::to_string(number) + " of a solver is taken already, or there is none such");
        taken_[word(number)] |= bit(number);
    }
    /// Takes the number. True: it was free.
    bool take_if_free(index_t number) {
        if (is_taken(number)) return false;
        take(number);
        return true;
    }
    /// Gives the number back, when no message of the solver is under way.
    void give_back(index_t number) noexcept { taken_[word(number)] &= ~bit(number); }

private:
    static std::size_t word(index_t n) { return static_cast<std::size_t>(n) / 64; }
    static std::uint64_t bit(index_t n) { return std::uint64_t{1} << (n % 64); }
    bool is_taken(index_t n) const { return (taken_[word(n)] & bit(n)) != 0; }

    Words taken_ = Words(most / 64, 0);
};

}  // namespace frond
