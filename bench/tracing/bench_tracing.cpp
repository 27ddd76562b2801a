// SPDX-License-Identifier: BSD-3-Clause
// What tracing costs: factorization and solve of `frond solve` with and without FxT in alternating runs, and how long
// Chromium takes to open the page of the trace, beside an empty one.
#include <fmt/core.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Run {
    double factor_seconds = 0, solve_seconds = 0;
    double processor_seconds = 0;  // of the whole process
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

void expect_success(const std::string& command) {
    if (std::system(command.c_str()) != 0) throw std::runtime_error("this failed: " + command);
}

double processor_seconds_of_children() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Run run(const std::string& matrix, const fs::path& folder, bool traced) {
    const fs::path json = folder / "run.json";
    const double before = processor_seconds_of_children();
    expect_success(
        fmt::format("STARPU_FXT_TRACE={} STARPU_FXT_PREFIX={} STARPU_TRACE_BUFFER_SIZE=256 {} solve {} --json {} "
                    ">/dev/null",
                    traced ? 1 : 0, folder.string(), FROND_PROGRAM, matrix, json.string()));
    std::ifstream stream(json);
    const nlohmann::json facts = nlohmann::json::parse(stream);
    return {facts["factorization"]["seconds"], facts["solve"]["seconds"], processor_seconds_of_children() - before};
}

void compare(const std::string& name, const std::vector<Run>& plain, const std::vector<Run>& traced,
             double Run::*quantity) {
    std::vector<double> without, with, ratios;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        without.push_back(plain[i].*quantity);
        with.push_back(traced[i].*quantity);
        ratios.push_back(with.back() / without.back());
    }
    fmt::print("{:<28} {:>10.4f} s {:>10.4f} s   median of ratios {:.3f}, ratio of minima {:.3f}\n", name,
               median(without), median(with), median(ratios),
               *std::min_element(with.begin(), with.end()) / *std::min_element(without.begin(), without.end()));
}

double seconds_to_open(const fs::path& page, const fs::path& folder) {
    const auto start = std::chrono::steady_clock::now();
    expect_success(
        fmt::format("chromium --headless --no-sandbox --disable-gpu --user-data-dir={} --virtual-time-budget=10000 "
                    "--window-size=1400,1600 --dump-dom file://{} >{} 2>/dev/null",
                    (folder / "chromium").string(), page.string(), (folder / "dom").string()));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void time_page(const std::string& matrix, const fs::path& folder, int rounds) {
    expect_success(fmt::format("{} trace {} -o {} >/dev/null", FROND_PROGRAM, matrix, folder.string()));
    std::ofstream(folder / "empty.html") << "<!DOCTYPE html><title>empty</title>";
    std::vector<double> empty, page;
    seconds_to_open(folder / "empty.html", folder);  // makes the profile
    for (int round = 0; round < rounds; ++round) {
        empty.push_back(seconds_to_open(folder / "empty.html", folder));
        page.push_back(seconds_to_open(folder / "trace.html", folder));
    }
    fmt::print("page of {} bytes in Chromium: {:.2f} s from start to end, an empty one {:.2f} s (medians)\n",
               fs::file_size(folder / "trace.html"), median(page), median(empty));
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("What tracing costs, and how long the page of a trace takes to open");
    std::string matrix;
    int rounds = 5;
    bool page = false;
    app.add_option("matrix", matrix)->required();
    app.add_option("--rounds", rounds)->check(CLI::Range(1, 1000));
    app.add_flag("--page", page, "also open the page in Chromium");
    CLI11_PARSE(app, argc, argv);
    std::string pattern = (fs::temp_directory_path() / "frond-tracing-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        fmt::print(stderr, "bench_tracing: no folder for temporary files\n");
        return 1;
    }
    int status = 0;
    try {
        std::vector<Run> plain, traced;
        for (int round = 0; round < rounds; ++round) {
            plain.push_back(run(matrix, pattern, false));
            traced.push_back(run(matrix, pattern, true));
        }
        fmt::print("{}, {} rounds                without         traced (medians)\n", matrix, rounds);
        compare("factorization", plain, traced, &Run::factor_seconds);
        compare("solve", plain, traced, &Run::solve_seconds);
        compare("processor time of the process", plain, traced, &Run::processor_seconds);
        if (page) time_page(matrix, pattern, rounds);
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_tracing: {}\n", error.what());
        status = 1;
    }
    fs::remove_all(pattern);
    return status;
}
