// SPDX-License-Identifier: BSD-3-Clause
#include "cold_run.hpp"

#include "exit_code.hpp"
#include "fresh_process.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/solver.hpp"
#include "run/run_problem.hpp"
#include "run/stopwatch.hpp"

#include <nlohmann/json.hpp>

namespace frond::cli {
namespace {

using nlohmann::json;

template <class Call>
double seconds_of(Call call) {
    const Stopwatch watch;
    call();
    return watch.seconds();
}

template <class T>
ColdTimes measure(const CommandLine& line, const AnalysisOptions& options, const SharedMatrix<T>& a) {
    const RightHandSides<T> rhs = rhs_of(line, *a);
    const index_t n = a->rows();
    std::vector<T> x(rhs.b.size());
    ColdTimes times;
    const Stopwatch cold;
    const Session session(line.options.session);
    Solver<T> solver(session, options);
    times.analysis = seconds_of([&] { solver.analyze(a); });
    times.factor = seconds_of([&] { solver.factor(a, line.options.factor); });
    times.solved = solver.factors().report().status != FactorStatus::not_positive_definite;
    if (times.solved)
        times.solve = seconds_of([&] {
            solver.solve(BlockView<const T>{rhs.b.data(), n, rhs.count, n}, BlockView<T>{x.data(), n, rhs.count, n},
                         line.options.solve);
        });
    times.cold = cold.seconds();
    return times;
}

}  // namespace

ColdTimes cold_times_in_fresh_process(const CommandLine& line, index_t matrix) {
    std::vector<std::string> arguments = line.arguments;
    arguments.push_back("--cold-run=" + std::to_string(matrix));
    const json answer = json::parse(answer_of_fresh_process(arguments));
    return {answer.at("cold"), answer.at("analysis"), answer.at("factor"), answer.at("solve"), answer.at("solved")};
}

int cold_run_command(const CommandLine& line) {
    const Problem problem = load_problem(line.matrices.at(static_cast<std::size_t>(*line.cold_run)), line.precision);
    const AnalysisOptions options = analysis_options_of(line, problem);
    std::visit(
        [&]<class T>(const SharedMatrix<T>& a) {
            if constexpr (is_built<T>()) {
                const ColdTimes times = measure(line, options, a);
                answer_waiting_process(json{{"cold", times.cold},
                                            {"analysis", times.analysis},
                                            {"factor", times.factor},
                                            {"solve", times.solve},
                                            {"solved", times.solved}}
                                           .dump());
            } else {
                throw scalar_left_out(problem.facts);
            }
        },
        problem.matrix);
    return solved;
}

}  // namespace frond::cli
