// SPDX-License-Identifier: BSD-3-Clause
#include "run_table.hpp"

#include "frond/enum_text.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

void add_small_pivots(Table& table, const FactorReport& f) {
    const auto places = [](const std::vector<index_t>& list, const std::string& one) {
        return "in " + one + (list.size() == 1 ? " " : "s ") + text_of_indices(list);
    };
    const std::string name = f.status == FactorStatus::singular ? "null pivot" : "raised pivot";
    if (!f.pivots.small_columns.empty())
        table.row(f.pivots.small_columns.size() == 1 ? name : name + "s", places(f.pivots.small_columns, "column"));
    if (!f.pivots.null_rows.empty() && f.pivots.null_rows != f.pivots.small_columns)
        table.row("", places(f.pivots.null_rows, "row"));
}

void add_pivots(Table& table, const FactorReport& f) {
    if (f.pivots.inertia)
        table.row("eigenvalues",
                  fmt::format("{} -, {} 0, {} +", text_of_count(f.pivots.inertia->negative),
                              text_of_count(f.pivots.inertia->zero), text_of_count(f.pivots.inertia->positive)),
                  "signs (inertia)");
    if (f.pivots.two_by_two > 0) table.row("2x2 pivots", text_of_count(f.pivots.two_by_two));
    if (f.pivots.second_pass > 0)
        table.row("second pass", counted(f.pivots.second_pass, "column"), "that the first pass gave back");
    if (f.pivots.largest_l > 0) table.row("largest |l|", text_of_error(f.pivots.largest_l));
    if (f.work.repeated_for_rank)
        table.row("null pivots", "below " + text_of_error(f.pivots.null_below),
                  "from the pivots of earlier factorizations");
    add_small_pivots(table, f);
    if (f.pivots.delayed > 0) table.row("delayed", text_of_count(f.pivots.delayed));
    if (f.pivots.perturbed > 0)
        table.row("perturbed", text_of_count(f.pivots.perturbed),
                  (f.pivots.perturbed == 1 ? "pivot raised to " : "pivots raised to ") +
                      text_of_error(f.pivots.raised_below));
    if (f.pivots.failed_column >= 0)
        table.row("failed at", "column " + text_of_count(f.pivots.failed_column + 1),
                  "pivot not positive, or not beyond rounding");
}

void add_place(Table& table, const FactorReport& f) {
    if (f.place.on_device)
        table.row("place",
                  f.place.devices_used > 1 ? fmt::format("on {} devices", f.place.devices_used) : "on the device",
                  "all fronts of a level together" +
                      (f.work.subtree_tasks > 0 ? ", " + counted(f.work.subtree_tasks, "subtree") + " on cores" : ""));
    else
        table.row("tasks", text_of_count(f.work.tasks), "of which " + counted(f.work.subtree_tasks, "whole subtree"));
    if (!f.place.on_device && f.place.devices_used > 0)
        table.row("place", "by tasks",
                  "and the subtrees of one rank by pieces on its " +
                      std::string(f.place.devices_used > 1 ? "devices" : "device"));
    if (!f.place.reason.empty()) table.row("place", "by tasks", f.place.reason);
    if (f.place.bytes_to_devices + f.place.bytes_from_devices > 0)
        table.row("moved", text_of_bytes(static_cast<double>(f.place.bytes_to_devices)) + " to devices",
                  text_of_bytes(static_cast<double>(f.place.bytes_from_devices)) + " from them");
}

}  // namespace

const char* formula(Factorization kind, bool is_complex) {
    switch (kind) {
        case Factorization::llt:
            return is_complex ? "L L^H" : "L L^T";
        case Factorization::ldlt:
            return "L D L^T";
        case Factorization::ldlh:
            return "L D L^H";
        case Factorization::lu:
            return "L U";
        case Factorization::automatic:
            break;
    }
    return "automatic";
}

void add_factorization(Table& table, const RunFacts& facts) {
    const FactorReport& f = *facts.factor;
    table.section("factorization", text_of_seconds(f.seconds), text_of_rate(f.gflops_per_second() * 1e9));
    table.row("kind", formula(f.factorization, facts.complex_scalar),
              f.fell_back_to_ldlt ? "after L L^T met a pivot that is not surely positive" : "");
    if (f.escalated) table.row("pivoting", to_string(f.pivoting), "after static pivoting that did not do");
    add_place(table, f);
    if (f.work.presolve_seconds > 0)
        table.row("for solves", text_of_seconds(f.work.presolve_seconds), "on the device, after the factorization");
    table.row("memory", text_of_bytes(static_cast<double>(f.memory.peak_bytes)),
              "peak, " + text_of_bytes(static_cast<double>(f.memory.peak_bytes_predicted)) + " predicted");
    table.row("pivots", to_string(f.status));
    add_pivots(table, f);
}

}  // namespace frond::cli
