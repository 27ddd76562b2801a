// SPDX-License-Identifier: BSD-3-Clause
#include "calibration_problems.hpp"

#include "frond/base/host_heap.hpp"
#include "frond/enum_text.hpp"
#include "run/problem.hpp"
#include "terminal/terminal.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace frond::cli {
namespace {

/// Small and large fronts, tiles and subtrees of all kinds.
constexpr std::array<CalibrationProblem, 20> problems_of_cores{{
    {"generate:poisson2d:350", Factorization::llt},   {"generate:poisson2d:700", Factorization::llt},
    {"generate:poisson3d:24", Factorization::llt},    {"generate:poisson3d:36", Factorization::llt},
    {"generate:poisson3d:48", Factorization::llt},    {"generate:grid27:24", Factorization::llt},
    {"generate:elasticity3d:14", Factorization::llt}, {"generate:elasticity3d:22", Factorization::llt},
    {"generate:poisson2d:350", Factorization::lu},    {"generate:convdiff3d:20", Factorization::lu},
    {"generate:convdiff3d:32", Factorization::lu},    {"generate:convdiff3d:42", Factorization::lu},
    {"generate:convdiff3d:56", Factorization::lu},    {"generate:poisson2d:350", Factorization::ldlt},
    {"generate:poisson3d:28", Factorization::ldlt},   {"generate:elasticity3d:18", Factorization::ldlt},
    {"generate:kkt:10", Factorization::ldlt},         {"generate:kkt:14", Factorization::ldlt},
    {"generate:kkt:24", Factorization::ldlt},         {"generate:elasticity3d:28", Factorization::ldlt},
}};

/// From trees that launches of kernels fill to such that products do: without large ones no model would know what an
/// operation takes.
constexpr std::array<CalibrationProblem, 25> problems_of_card{{
    {"generate:poisson2d:700", Factorization::llt},    {"generate:poisson2d:1400", Factorization::llt},
    {"generate:poisson3d:36", Factorization::llt},     {"generate:poisson3d:48", Factorization::llt},
    {"generate:poisson3d:64", Factorization::llt},     {"generate:poisson3d:88", Factorization::llt},
    {"generate:poisson3d:112", Factorization::llt},    {"generate:grid27:32", Factorization::llt},
    {"generate:grid27:56", Factorization::llt},        {"generate:elasticity3d:18", Factorization::llt},
    {"generate:elasticity3d:26", Factorization::llt},  {"generate:elasticity3d:42", Factorization::llt},
    {"generate:elasticity3d:54", Factorization::llt},  {"generate:convdiff3d:32", Factorization::lu},
    {"generate:convdiff3d:48", Factorization::lu},     {"generate:convdiff3d:72", Factorization::lu},
    {"generate:convdiff3d:92", Factorization::lu},     {"generate:poisson2d:700", Factorization::lu},
    {"generate:elasticity3d:30", Factorization::lu},   {"generate:poisson2d:700", Factorization::ldlt},
    {"generate:poisson3d:44", Factorization::ldlt},    {"generate:poisson3d:68", Factorization::ldlt},
    {"generate:poisson3d:92", Factorization::ldlt},    {"generate:elasticity3d:22", Factorization::ldlt},
    {"generate:elasticity3d:32", Factorization::ldlt},
}};

std::string text_of(const CalibrationProblem& problem) {
    return fmt::format("{} by {}", problem.name, to_string(problem.factorization));
}

/// Whether that is work of the thread that submits, as a first factorization has it.
bool is_work_of_caller(std::string_view kind) {
    for (const char* begin : {"start", "system", "submit", "finish", "scaling"})
        if (kind.starts_with(begin)) return true;
    return false;
}

/// The work of the caller counts the first time, and its memory is new then, as in a process that factors nothing else.
/// The time of tasks counts the third time, when no memory is new: new memory has a model of its own. (The second time
/// new factors may be made next to the earlier ones.)
TimesOnCores factor_thrice(const CalibrationProblem& problem, index_t workers, const Session& session) {
    AnalysedProblem p(problem, workers, session);
    session.give_back_memory();
    NewMemory memory;
    const count_t new_before = host_heap().new_bytes();
    record_times(true);
    p.solver.factor(p.matrix);
    memory.bytes = static_cast<double>(host_heap().new_bytes() - new_before);
    TimeSamples first = take_times();
    record_times(false);
    p.solver.factor(p.matrix);
    record_times(true);
    p.solver.factor(p.matrix);
    record_times(false);
    TimeSamples third = take_times();
    memory.first_seconds = seconds_of_first_writers(first);
    memory.later_seconds = seconds_of_first_writers(third);
    std::erase_if(first, [](const auto& entry) { return !is_work_of_caller(entry.first); });
    std::erase_if(third, [](const auto& entry) { return is_work_of_caller(entry.first); });
    third.merge(first);
    return {std::move(third), {memory}};
}

/// Whether the kind is recorded where there is a card, and only there.
bool is_of_card(std::string_view kind) { return kind.starts_with(on_card) || kind.starts_with("factor_piece"); }

/// Times factorizations after a first one, in which tables go to the card and the kernels of pieces are recorded.
TimeSamples factor_on_card(const CalibrationProblem& problem, const Session& session) {
    constexpr int times = 4;
    AnalysedProblem p(problem, 0, session);
    p.solver.factor(p.matrix);
    record_times(true);
    for (int k = 0; k < times; ++k) p.solver.factor(p.matrix);
    record_times(false);
    TimeSamples samples = take_times();
    std::erase_if(samples, [](const auto& entry) { return !is_of_card(entry.first); });
    return samples;
}

void add(TimeSamples from, TimeSamples& to) {
    for (auto& [kind, samples] : from) to[kind].insert(to[kind].end(), samples.begin(), samples.end());
}

SharedMatrix<double> load(const CalibrationProblem& problem) {
    return std::get<SharedMatrix<double>>(load_problem(problem.name, Precision::double_precision).matrix);
}

AnalysisOptions options_for(const CalibrationProblem& problem, index_t workers) {
    AnalysisOptions options;
    options.factorization = problem.factorization;
    options.workers = workers;
    return options;
}

}  // namespace

AnalysedProblem::AnalysedProblem(const CalibrationProblem& problem, index_t workers, const Session& session)
    : matrix(load(problem)), solver(session, options_for(problem, workers)) {
    solver.analyze(matrix);
}

TimesOnCores record_on_cores() {
    TimesOnCores all;
    SessionOptions cores;
    cores.gpus = 0;
    cores.tuning = "off";
    const Session session(cores);
    for (const int round : {1, 2})  // cores change their pace within a minute
        for (const CalibrationProblem& problem : problems_of_cores)
            for (const index_t workers : {0, many_cores}) {
                const StatusLine status(fmt::format("factoring {}, round {} of 2", text_of(problem), round));
                TimesOnCores times = factor_thrice(problem, workers, session);
                add(std::move(times.samples), all.samples);
                all.memory.insert(all.memory.end(), times.memory.begin(), times.memory.end());
            }
    return all;
}

TimeSamples record_on_card() {
    TimeSamples all;
    SessionOptions defaults;
    defaults.tuning = "off";
    const Session session(defaults);
    if (session.info().gpus == 0) return all;
    for (const CalibrationProblem& problem : problems_of_card) {
        const StatusLine status("factoring " + text_of(problem) + " on the card");
        add(factor_on_card(problem, session), all);
    }
    return all;
}

}  // namespace frond::cli
