// SPDX-License-Identifier: BSD-3-Clause
#include "tune_report.hpp"

#include "terminal/table.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

void add_machine(const Measurements& measured, Table& table) {
    const MachineKind& machine = measured.machine;
    table.section("machine", machine.processor);
    table.row("cores", std::to_string(machine.cores),
              fmt::format("{} a core, {}", counted(measured.topology.threads_per_core, "hardware thread"),
                          counted(measured.topology.numa_nodes, "NUMA node")));
    table.row("workers", std::to_string(measured.workers), "of cores, by default");
    if (machine.cards == 0) return;
    table.row("cards", std::to_string(machine.cards), machine.card);
    table.row("", text_of_rate(measured.rates.device_product_flops), "products on a card");
    table.row("", text_of_bytes(measured.rates.link_bytes) + "/s",
              "between pinned memory and a card, the slower direction");
}

void add_kernels(const Measurements& measured, Table& table) {
    table.section("kernels", "update_tile", "of one worker while all work");
    for (const TileRate& rate : measured.tile_rates)
        table.row(fmt::format("tiles of {}", rate.tile), text_of_rate(rate.flops_per_second));
    table.row("a task", text_of_seconds(measured.task_seconds), "of its worker, in addition to its work");
    table.row("", text_of_seconds(measured.submit_seconds), "of the thread that submits");
}

void add_trials(const SearchResult& search, Table& table) {
    table.section("choices", "time", "over that with the best so far: mean, largest");
    for (const Trial& trial : search.trials)
        table.row(trial.name, fmt::format("{:.3f}", trial.comparison.mean_ratio),
                  fmt::format("{:.3f}{}", trial.comparison.largest_ratio, trial.taken ? "  taken" : ""));
    for (const std::string& name : search.skipped) table.row(name, "no time", "more by --time-limit");
}

void add_verification(const TuneFacts& facts, Table& table) {
    if (!facts.verification) return;
    const auto& [comparison, repeated] = *facts.verification;
    table.section("verified", fmt::format("{:.3f}", comparison.mean_ratio),
                  fmt::format("time over that with the defaults, mean; {}", counted(comparison.rounds, "round")));
    for (std::size_t p = 0; p < facts.verified_on.size(); ++p)
        table.row(facts.verified_on[p], fmt::format("{:.3f}", comparison.ratios[p]),
                  fmt::format("{:.3f} of the defaults against themselves", repeated.ratios[p]));
}

Json comparison_json(const Comparison& comparison) {
    return {{"mean_ratio", comparison.mean_ratio},
            {"largest_ratio", comparison.largest_ratio},
            {"rounds", comparison.rounds},
            {"ratios", comparison.ratios}};
}

Json measured_json(const Measurements& measured) {
    Json rates = Json::array();
    for (const TileRate& rate : measured.tile_rates)
        rates.push_back({{"tile", rate.tile}, {"flops_per_second", rate.flops_per_second}});
    return {{"processor", measured.machine.processor},
            {"cores", measured.machine.cores},
            {"card", measured.machine.card},
            {"cards", measured.machine.cards},
            {"threads_per_core", measured.topology.threads_per_core},
            {"numa_nodes", measured.topology.numa_nodes},
            {"workers", measured.workers},
            {"tile_rates", rates},
            {"task_seconds", measured.task_seconds},
            {"submit_seconds", measured.submit_seconds},
            {"card_product_flops", measured.rates.device_product_flops},
            {"link_bytes_per_second", measured.rates.link_bytes}};
}

Json lines_json(const std::vector<JobLine>& lines) {
    Json list = Json::array();
    for (const JobLine& line : lines) list.push_back({{"line", line.text}, {"reason", line.reason}});
    return list;
}

}  // namespace

std::string tune_table(const TuneFacts& facts, const Style& style) {
    Table table;
    add_machine(facts.measured, table);
    if (!facts.measured.tile_rates.empty()) add_kernels(facts.measured, table);
    if (!facts.search.trials.empty() || !facts.search.skipped.empty()) add_trials(facts.search, table);
    add_verification(facts, table);
    return table.text(style);
}

std::string job_text(const TuneFacts& facts) {
    return fmt::format("  a job of Slurm\n\n{}\n  without a batch system, or with mpirun (Open MPI)\n\n{}",
                       text_of_job(facts.slurm), text_of_job(facts.mpirun));
}

Json tune_json(const TuneFacts& facts) {
    Json trials = Json::array();
    for (const Trial& trial : facts.search.trials) {
        Json one = comparison_json(trial.comparison);
        one["knob"] = trial.knob;
        one["choice"] = trial.name;
        one["taken"] = trial.taken;
        trials.push_back(std::move(one));
    }
    Json object = {{"frond", session_json(facts.session)}, {"machine", measured_json(facts.measured)}};
    object["trials"] = std::move(trials);
    object["skipped"] = facts.search.skipped;
    object["verified_on"] = facts.verified_on;
    object["verification"] = facts.verification ? comparison_json(facts.verification->tuned) : Json(nullptr);
    object["repeated"] = facts.verification ? comparison_json(facts.verification->repeated) : Json(nullptr);
    object["kept"] = facts.kept;
    object["file"] = facts.file;
    object["differences"] = differences(facts.search.best);
    object["outcome"] = facts.outcome;
    object["seconds"] = facts.seconds;
    object["job"] = {{"slurm", lines_json(facts.slurm)}, {"mpirun", lines_json(facts.mpirun)}};
    object["error"] = nullptr;
    object["exit_code"] = 0;
    return object;
}

}  // namespace frond::cli
