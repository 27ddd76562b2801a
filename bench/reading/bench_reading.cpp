// SPDX-License-Identifier: BSD-3-Clause
// How quick matrix files are read: bytes of text a second on one core, the matrix built and validated.
// Without files, generated matrices are written to a folder first. Files are in the system's cache.
#include <fmt/core.h>
#include <zlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "frond/frond.hpp"
#include "load_matrix.hpp"
#include "run_facts.hpp"

namespace {

using namespace frond;

/// Bytes of the file once unpacked (a plain file is read as it is).
double text_bytes(const std::string& path) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    if (!file) throw std::runtime_error(path + ": cannot be opened");
    std::vector<char> buffer(1 << 20);
    double bytes = 0;
    for (int got; (got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) != 0;) {
        if (got < 0) throw std::runtime_error(path + ": cannot be unpacked");
        bytes += got;
    }
    return bytes;
}

/// Processor time, which other programs on the machine do not lengthen much; all threads of this one count.
double processor_seconds() {
    timespec t{};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0) throw std::runtime_error("no clock of processor time");
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void run(const std::string& path, int rounds) {
    const double bytes = text_bytes(path);
    std::vector<double> seconds;
    count_t entries = 0;
    for (int round = 0; round < rounds; ++round) {
        const double start = processor_seconds();
        const AnyMatrix a = read_matrix(path);
        seconds.push_back(processor_seconds() - start);
        entries = std::visit([](const auto& m) { return static_cast<count_t>(m.value.size()); }, a);
    }
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    fmt::print("{:<36}{:>12}{:>10.1f}{:>12.4f}{:>10.0f}\n", std::filesystem::path(path).filename().string(), entries,
               bytes * 1e-6, median, bytes * 1e-6 / median);
    std::fflush(stdout);
}

std::vector<std::string> written_to(const std::string& folder) {
    std::vector<std::string> files;
    for (const char* name : {"generate:poisson3d:60", "generate:convdiff3d:50", "generate:helmholtz3d:30"}) {
        std::string file(name);
        std::replace(file.begin(), file.end(), ':', '-');
        files.push_back(folder + "/" + file + ".mtx");
        std::visit([&](const auto& a) { write_matrix_market(files.back(), a, {}); }, frond::bench::load_matrix(name));
    }
    return files;
}

}  // namespace

int main(int argc, char** argv) try {
    std::vector<std::string> files;
    std::string folder = std::filesystem::temp_directory_path().string();
    int rounds = 5;
    CLI::App app("Rate of reading matrix files, in bytes of text a second of processor time");
    app.add_option("files", files, "matrix files, plain or gzip; none: generated ones");
    app.add_option("--folder", folder, "where generated files are written; they stay there");
    app.add_option("--rounds", rounds, "times that each file is read")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    if (files.empty()) files = written_to(folder);
    fmt::print("{}\n\n{:<36}{:>12}{:>10}{:>12}{:>10}\n", frond::bench::run_facts().dump(), "file", "entries", "MB text",
               "seconds", "MB/s");
    for (const std::string& file : files) run(file, rounds);
    return 0;
} catch (const std::exception& e) {
    fmt::print(stderr, "bench_reading: {}\n", e.what());
    return 2;
}
