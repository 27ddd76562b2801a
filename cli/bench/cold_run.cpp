// SPDX-License-Identifier: BSD-3-Clause
#include "cold_run.hpp"

#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/solver.hpp"
#include "run/run_problem.hpp"
#include "terminal/clock.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace frond::cli {
namespace {

constexpr int answer_descriptor = 3;

[[noreturn]] void fail(const std::string& what, int error) {
    throw RuntimeError("a fresh process of frond for its cold times: " + what + ": " + std::strerror(error));
}

/// Two ends of a pipe, closed when this goes.
class Pipe {
public:
    Pipe() {
        if (pipe(ends_.data()) != 0) fail("pipe", errno);
    }

    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    ~Pipe() {
        close(ends_[0]);
        close_writing_end();
    }

    int reading_end() const { return ends_[0]; }

    int writing_end() const { return ends_[1]; }

    void close_writing_end() {
        if (ends_[1] >= 0) close(ends_[1]);
        ends_[1] = -1;
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

pid_t start(std::vector<std::string> arguments, const Pipe& pipe) {
    arguments.insert(arguments.begin(), "frond");
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) fail("posix_spawn_file_actions_init", error);
    error = posix_spawn_file_actions_adddup2(&actions, pipe.writing_end(), answer_descriptor);
    pid_t child = -1;
    if (error == 0) error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fail("posix_spawn", error);
    return child;
}

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 1024> buffer;
    for (;;) {
        const ssize_t got = read(descriptor, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

void expect_success(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) fail("waitpid", errno);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::string how = WIFEXITED(status) ? "exit code " + std::to_string(WEXITSTATUS(status))
                                              : "signal " + std::to_string(WTERMSIG(status));
    throw RuntimeError("a fresh process of frond for its cold times ended with " + how +
                       "; what it says of that stands above");
}

/// Runs this program with `arguments` and returns what it wrote by answer_waiting_process().
/// @throws RuntimeError  it cannot be started, or ended with another exit code than 0
std::string answer_of_fresh_process(const std::vector<std::string>& arguments) {
    Pipe pipe;
    const pid_t child = start(arguments, pipe);
    pipe.close_writing_end();
    const std::string answer = read_all(pipe.reading_end());
    expect_success(child);
    return answer;
}

/// Answers, in the process that was started. @throws RuntimeError  none waits
void answer_waiting_process(const std::string& answer) {
    for (std::size_t sent = 0; sent < answer.size();) {
        const ssize_t now = write(answer_descriptor, answer.data() + sent, answer.size() - sent);
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) throw RuntimeError("--cold-run: no other frond waits for its times");
        sent += static_cast<std::size_t>(now);
    }
}

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
    times.solved = can_solve_with(solver.factors().report().status);
    if (times.solved)
        times.solve = seconds_of([&] {
            static_cast<void>(solver.solve(BlockView<const T>{rhs.b.data(), n, rhs.count, n},
                                           BlockView<T>{x.data(), n, rhs.count, n}, line.options.solve));
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
