// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/simulation/simulated_results.hpp"

#include "arguments/output_paths.hpp"
#include "exit_code.hpp"
#include "run/run_table.hpp"
#include "frond/codelets/simulated_bounds.hpp"
#include "simulate/time_bounds.hpp"
#include "terminal/print.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace frond::cli {
namespace {

/// True: the models of tasks on cards are measured.
bool are_measured(const ModelFile& models) {
    return std::any_of(models.models.begin(), models.models.end(),
                       [](const auto& entry) { return entry.first.starts_with(on_card); });
}

/// What the times are from.
std::string origin_of(const ModelFile& models, const SimulatedMachine& machine, const SessionInfo& session) {
    std::string text = fmt::format("models of {}, {}", models.processor, models.date);
    if (session.gpus == 0) return text;
    if (are_measured(models)) return text + ", also of its card";
    const SimulatedCards& cards = machine.cards.front();
    return text + fmt::format("; no model of the card was measured: its tasks follow {}",
                              cards.product_source.empty() ? "the rates of an H200"
                                                           : "rates scaled by product_flops, " + cards.product_source);
}

/// Null where the calling thread ran all of it.
Json bounds_json(const SimulatedBounds& found, const SessionInfo& session) {
    if (found.tasks == 0) return nullptr;
    const TimeBounds bounds = time_bounds(found, session);
    return {{"work_seconds", bounds.work}, {"path_seconds", bounds.path}, {"submit_seconds", bounds.submission}};
}

}  // namespace

Json simulated_json(const CommandLine& line, const Simulated& simulated, const ModelFile& models) {
    const auto& [machine, facts, ranks] = simulated;
    Json object = run_json(facts);
    object["simulated"] = true;
    object["machine"] = Json::parse(text_of_machine(machine));
    object["models"] = {{"processor", models.processor}, {"date", models.date}, {"of_card", are_measured(models)}};
    object["bounds"] = bounds_json(take_simulated_bounds(), facts.session);
    if (ranks) add_simulated_ranks(object, *ranks);
    object["pivots"] = line.pivots_file.empty() ? Json(nullptr) : Json(line.pivots_file);
    object["exit_code"] = solved;
    return object;
}

void print_simulated(const CommandLine& line, const Simulated& simulated, const ModelFile& models) {
    std::FILE* const stream = table_stream(line);
    const Style style(stream);
    Table table = run_table(simulated.facts);
    if (simulated.ranks) add_efficiency(table, *simulated.ranks);
    print_text(stream,
               fmt::format("\n{}\n  {} on the machine {}: {}\n\n", table.text(style), style.good("simulated"),
                           simulated.machine.name, origin_of(models, simulated.machine, simulated.facts.session)));
}

}  // namespace frond::cli
