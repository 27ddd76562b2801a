// SPDX-License-Identifier: BSD-3-Clause
// Two solvers in one session, each with its own matrix: the time of both at once, from two threads, over the sum of
// their times alone. Every factorization has other values of the same pattern, and every solution is checked.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <thread>

#include "frond/frond.hpp"
#include "load_matrix.hpp"
#include "run/new_values.hpp"
#include "run_facts.hpp"

namespace {

using namespace frond;

using Seconds = std::chrono::duration<double>;

constexpr double most_backward_error = 1e-12;

SparseMatrix<double> real_matrix(const std::string& name) {
    AnyMatrix matrix = bench::load_matrix(name);
    if (auto* const real = std::get_if<SparseMatrix<double>>(&matrix)) return std::move(*real);
    throw InvalidArgument(name + " is complex; give a real matrix");
}

/// A solver with the values of all its steps, made beforehand.
class Stepper {
public:
    Stepper(const Session& session, const std::string& name, int steps)
        : matrix_(real_matrix(name)),
          b_(static_cast<std::size_t>(matrix_.rows()), 1.0),
          x_(b_.size()),
          solver_(session) {
        for (int step = 0; step < steps; ++step)
            values_.push_back(
                cli::changed_values(matrix_, cli::ValueChange::congruence, static_cast<std::uint64_t>(step + 1)));
        solver_.analyze(matrix_);
    }

    /// A factorization and a solve for the values of each step. Returns the seconds.
    double run() {
        const auto start = std::chrono::steady_clock::now();
        for (const std::vector<double>& values : values_) {
            solver_.factor_values(values);
            const SolveReport report = solver_.solve(b_, x_);
            largest_error_ = std::max(largest_error_, report.backward_error);
        }
        return Seconds(std::chrono::steady_clock::now() - start).count();
    }

    double largest_error() const { return largest_error_; }

private:
    SparseMatrix<double> matrix_;
    std::vector<double> b_, x_;
    std::vector<std::vector<double>> values_;
    Solver<double> solver_;
    double largest_error_ = 0;
};

double seconds_at_once(Stepper& first, Stepper& second) {
    const auto start = std::chrono::steady_clock::now();
    std::exception_ptr error;
    std::thread other([&] {
        try {
            second.run();
        } catch (...) {
            error = std::current_exception();
        }
    });
    first.run();
    other.join();
    if (error) std::rethrow_exception(error);
    return Seconds(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) try {
    std::vector<std::string> names;
    int rounds = 7, steps = 4;
    CLI::App app("Two solvers in one session: both at once over one after the other");
    app.add_option("matrices", names, "two real matrices: files or generate:KIND:SIZE")->required()->expected(2);
    app.add_option("--rounds", rounds, "rounds, of which the medians are taken")->check(CLI::PositiveNumber);
    app.add_option("--steps", steps, "factorizations and solves in each run")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    fmt::print("{}\n", bench::run_facts().dump());
    const Session session;
    Stepper first(session, names[0], steps), second(session, names[1], steps);
    first.run();  // cold memory: not counted
    second.run();
    std::vector<double> alone[2], at_once, ratio;
    for (int round = 0; round < rounds; ++round) {
        alone[0].push_back(first.run());
        alone[1].push_back(second.run());
        at_once.push_back(seconds_at_once(first, second));
        ratio.push_back(at_once.back() / (alone[0].back() + alone[1].back()));
    }
    const double error = std::max(first.largest_error(), second.largest_error());
    fmt::print("{} and {}, {} factorizations and solves each\n", names[0], names[1], steps);
    fmt::print(
        "alone {:.4f} s and {:.4f} s, at once {:.4f} s: {:.3f} of the sum (least {:.3f}), backward error {:.1e}\n",
        median(alone[0]), median(alone[1]), median(at_once), median(ratio),
        *std::min_element(ratio.begin(), ratio.end()), error);
    return error <= most_backward_error ? 0 : 1;
} catch (const std::exception& e) {
    fmt::print(stderr, "bench_two_solvers: {}\n", e.what());
    return 2;
}
