// SPDX-License-Identifier: BSD-3-Clause
// frond tune: measures this machine, chooses, verifies, and keeps what is quicker than the defaults.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "exit_code.hpp"
#include "keep_tuning.hpp"
#include "frond/base/error.hpp"
#include "frond/codelets/time_models.hpp"
#include "keep_tuning.hpp"
#include "search.hpp"
#include "run/interrupt.hpp"
#include "run/run_error.hpp"
#include "terminal/terminal.hpp"
#include "tune_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace frond::cli {
namespace {

/// The most operations of a factorization: what takes a quarter of a second at the rate of the kernels.
double most_flops(const Measurements& measured) {
    constexpr double share_of_rate = 0.35;  // that a factorization reaches of the kernels' rate
    constexpr double seconds = 0.25;
    double best = 0;
    for (const TileRate& rate : measured.tile_rates) best = std::max(best, rate.flops_per_second);
    const double on_cores = seconds * share_of_rate * best * measured.workers;
    return std::max(on_cores, seconds / 8 * share_of_rate * measured.rates.device_product_flops);
}

/// Smaller problems say nothing of larger ones. The largest that is verified takes a second or two.
constexpr double smallest_share_of_flops = 1.0 / 64, large_share_of_flops = 8;

std::string why_not(const TuneFacts& facts, double most) {
    if (facts.search.flops < smallest_share_of_flops * most)
        return "problems had to be too small to tell; give more time by --time-limit, while nothing else runs";
    if (!facts.verification) return "it was not verified in time; give more by --time-limit";
    return why_not_kept(facts.verification->tuned, facts.verification->repeated, facts.verified_on);
}

void decide(const TunedRuns& runs, const TuneClock& clock, TuneFacts& facts) {
    const double most = most_flops(facts.measured);
    const bool cards = facts.measured.machine.cards > 0;
    facts.search = search(runs, flops_for_search(runs, facts.measured, most, clock), facts.measured, clock);
    const std::string found = differences(facts.search.best);
    if (found == differences({}))
        return keep_or_leave(facts.search.skipped.empty() ? "no choice was quicker"
                                                          : "no choice that there was time for was quicker",
                             facts);
    std::vector<TuneProblem> problems = problems_to_verify_by(facts.search.flops, cards);
    // On cards large trees have few of the choices.
    if (!cards)
        for (const TuneProblem& large : large_problems(large_share_of_flops * most)) problems.push_back(large);
    for (const TuneProblem& problem : problems) facts.verified_on.push_back(problem.title());
    facts.verification = verify(runs, load_all(problems), facts.search.best, clock);
    const std::string reason = why_not(facts, most);
    keep_or_leave(reason.empty() ? reason : found + ": " + reason, facts);
}

void describe_jobs(const CommandLine& line, const Tuning* tuning, TuneFacts& facts) {
    JobFacts job;
    job.machine = facts.measured.machine;
    job.topology = facts.measured.topology;
    job.workers = tuning != nullptr ? tuning->workers : facts.measured.workers;
    job.bind_workers = tuning == nullptr || tuning->bind_workers;
    job.memory_bytes = facts.session.memory_total_bytes;
    job.nodes = line.tune.nodes;
    job.ranks_per_node = line.tune.ranks_per_node;
    facts.slurm = slurm_job(job);
    facts.mpirun = mpirun_job(job);
}

/// What is known without a measurement.
void look_at_machine(const CommandLine& line, TuneFacts& facts) {
    SessionOptions defaults = session_to_tune(line);
    defaults.tuning = "off";
    facts.session = Session(defaults).info();
    facts.measured.machine = machine_kind(facts.session.gpus);
    facts.measured.topology = read_topology();
    facts.measured.workers = facts.session.cpu_workers;
}

void print_report(const CommandLine& line, const TuneFacts& facts) {
    std::FILE* const stream = table_stream(line);
    const Style style(stream);
    print_text(stream, fmt::format("\n{}\n  {}\n\n{}\n", tune_table(facts, style),
                                   facts.kept ? style.good(facts.outcome) : facts.outcome, job_text(facts)));
}

void print_jobs(const CommandLine& line, TuneFacts& facts) {
    facts.file = place_of_tuning(line, facts.measured.machine);
    std::error_code error;
    const bool is_kept = std::filesystem::exists(facts.file, error);
    if (is_kept) facts.search.best = read_tuning(facts.file);
    describe_jobs(line, is_kept ? &facts.search.best : nullptr, facts);
    facts.outcome = is_kept ? fmt::format("with {}, by {}", differences(facts.search.best), facts.file)
                            : "with the defaults: no tuning is kept for this machine";
    print_text(table_stream(line), fmt::format("\n  {}\n\n{}\n", facts.outcome, job_text(facts)));
}

void tune_here(const CommandLine& line, const TuneClock& clock, TuneFacts& facts) {
    facts.file = place_of_tuning(line, facts.measured.machine);
    make_folder_of_tunings(line);
    expect_writable_file(facts.file);
    describe_jobs(line, nullptr, facts);  // what is wrong with the numbers is said before long work
    facts.measured = measure_machine(session_to_tune(line), clock);
    decide(TunedRuns(session_to_tune(line), facts.measured.machine), clock, facts);
    facts.seconds = clock.passed();
    if (facts.session.worker_binding.find("other threads run") != std::string::npos)
        facts.outcome +=
            "; other threads ran on these cores when it began, which makes times noise: better run it alone";
    describe_jobs(line, facts.kept ? &facts.search.best : nullptr, facts);
    print_report(line, facts);
}

}  // namespace

int tune_command(const CommandLine& line) {
    TuneFacts facts;
    const auto work = [&] {
        if (simulates()) throw RuntimeError("a machine is measured by the program frond, whose tasks run");
        const CatchInterrupts caught;
        const TuneClock clock(line.tune.time_limit_seconds);
        expect_no_starpu_choices();
        expect_writable_file(line.json_file);
        look_at_machine(line, facts);
        if (!line.matrices.empty())
            return compare_kept(line, clock, facts.session);
        else if (line.tune.job_only)
            print_jobs(line, facts);
        else
            tune_here(line, clock, facts);
        if (!line.json_file.empty()) write_json(line.json_file, tune_json(facts));
        return static_cast<int>(solved);
    };
    return with_error_json(line, work, [&] { return tune_json(facts); });
}

}  // namespace frond::cli
