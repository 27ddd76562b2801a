// SPDX-License-Identifier: BSD-3-Clause
// What the last line of a run's table says, and its exit code.
#include "exit_code.hpp"
#include "run_table.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

bool without_solution(const RunFacts& facts) {
    return facts.solve && facts.solve->status == SolveStatus::not_converged;
}

/// Where the condition was asked for.
bool ill_conditioned(const RunFacts& facts) { return facts.condition && facts.condition->ill_conditioned; }

std::string hint(const RunFacts& facts) {
    if (facts.condition || !facts.solve || !facts.solve->ill_conditioned) return "";
    return fmt::format(
        "hint: ill-conditioned, about {}: maybe no digit of the solution is right (--condition "
        "estimates that better)\n  ",
        text_of_error(*facts.solve->condition_hint));
}

std::string null_pivot_text(const FactorReport& f) {
    if (!(f.pivots.null_below > 0)) return "";
    return "null pivots: columns of the scaled matrix below " + text_of_error(f.pivots.null_below) +
           "; --null-pivot-tolerance sets that bound\n  ";
}

/// Either the matrix is singular and b is not in its range, or pivots that are small count as null.
std::string cure_of_unsolved(const RunFacts& facts) {
    if (!without_solution(facts) || !(facts.factor->pivots.null_below > 0)) return "";
    constexpr double smaller = 1e-3;
    return fmt::format(
        "cure: if the matrix should be regular, --null-pivot-tolerance {} keeps smaller pivots; if it "
        "should be singular, b has a part outside its range\n  ",
        text_of_error(smaller * facts.factor->pivots.null_below));
}

}  // namespace

std::string verdict(const RunFacts& facts, const Style& style) {
    const std::string total = "  total " + text_of_seconds(facts.total_seconds);
    if (!facts.factor) return style.good("analysed") + total;
    if (facts.factor->status == FactorStatus::not_positive_definite)
        return "cure: --factorization ldlt or automatic\n  " +
               style.bad("not positive definite, or not beyond rounding: no solution") + total;
    if (facts.factor->status == FactorStatus::overflowed)
        return "cure: --scaling automatic, or scale the matrix\n  " +
               style.bad("overflowed: elimination left the range of the numbers, no solution") + total;
    const std::string errors = facts.solve_is_part ? "its errors are not measured"
                               : facts.solve       ? fmt::format("componentwise backward error {}, accepted up to {}",
                                                                 text_of_error(facts.solve->componentwise_backward_error),
                                                                 text_of_error(facts.accepted_backward_error))
                                                   : "";
    if (facts.factor->status == FactorStatus::singular)
        return null_pivot_text(*facts.factor) + cure_of_unsolved(facts) +
               style.bad("singular: " +
                         counted(static_cast<count_t>(facts.factor->pivots.small_columns.size()), "null pivot") +
                         (without_solution(facts) ? "; the matrix has no solution for this b" : "") + "; ") +
               errors + total;
    if (ill_conditioned(facts))
        return style.bad("numerically singular: condition " + text_of_error(facts.condition->skeel_condition) +
                         " (Skeel's); ") +
               errors + total;
    if (exit_code_of(facts) != solved) return hint(facts) + style.warning("inaccurate: ") + errors + total;
    const char* const done = facts.solve_is_part ? "part of a solve done" : "solved";
    if (facts.factor->status == FactorStatus::perturbed)
        return style.good(done) + " in spite of perturbed pivots: " + errors + total;
    return hint(facts) + style.good(done) + ": " + errors + total;
}

int exit_code_of(const RunFacts& facts) {
    if (!facts.factor) return solved;
    if (facts.factor->status == FactorStatus::not_positive_definite) return not_definite;
    if (facts.factor->status == FactorStatus::overflowed) return overflowed;
    if (facts.factor->status == FactorStatus::singular) return singular;
    if (ill_conditioned(facts)) return badly_conditioned;
    return !facts.solve || without_solution(facts) ? inaccurate : solved;
}

}  // namespace frond::cli
