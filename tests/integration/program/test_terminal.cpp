// SPDX-License-Identifier: BSD-3-Clause
// What a terminal gets that a file does not: colours and the progress bar.
#include "machine/machine.hpp"
#include "run/interrupt.hpp"
#include "machine/machine.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"
#include "terminal/terminal.hpp"
#include "terminal/table.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/stat.h>

using namespace frond;
using namespace frond::test;
namespace fs = std::filesystem;

TEST_CASE("away from a terminal: no escape sequences, no progress, nothing on standard error") {
    const Outcome outcome = run_frond({"solve", "generate:poisson3d:10"}, {{"TERM", "xterm"}});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out.find('\033') == std::string::npos);
    CHECK(outcome.out.find('\r') == std::string::npos);
    CHECK(outcome.out.find("factorization") != std::string::npos);
}

TEST_CASE("on a terminal: colours, unless NO_COLOR is set") {
    const Outcome coloured = run_frond_on_terminal({"solve", "generate:poisson2d:9"}, {{"NO_COLOR", ""}});
    CHECK(coloured.exit_code == 0);
    CHECK(coloured.out.find("\033[1;32m") != std::string::npos);
    const Outcome plain = run_frond_on_terminal({"solve", "generate:poisson2d:9"}, {{"NO_COLOR", "1"}});
    CHECK(plain.out.find("\033[1") == std::string::npos);
    const Outcome dumb = run_frond_on_terminal({"solve", "generate:poisson2d:9"}, {{"TERM", "dumb"}});
    CHECK(dumb.out.find('\033') == std::string::npos);
}

TEST_CASE("the progress line shows share, rate and remaining time within the terminal") {
    Progress progress;
    progress.done_flops = 25e9;
    progress.total_flops = 100e9;
    progress.seconds = 0.5;
    for (const int columns : {20, 50, 80, 200}) {
        const std::string line = cli::progress_line("factorization", progress, columns);
        CAPTURE(line);
        CHECK(line.find(" 25%  50.0 Gflop/s  1.50 s left") != std::string::npos);
        if (columns >= 80) {
            CHECK(static_cast<int>(line.size()) < columns);
            CHECK(line.find("[#") != std::string::npos);
        }
    }
    CHECK(cli::progress_line("x", Progress{}, 80).find("starting") != std::string::npos);
}

namespace {

volatile std::sig_atomic_t heard = 0;
extern "C" void hear(int) { heard = heard + 1; }

}  // namespace

TEST_CASE("Ctrl-C is caught only while something can stop on it") {
    for (const int signal : {SIGINT, SIGTERM}) {
        heard = 0;
        const auto before = std::signal(signal, hear);
        {
            const cli::CatchInterrupts caught;
            std::raise(signal);
            CHECK(heard == 0);
            CHECK(cli::interrupt_flag().load());
        }
        std::raise(signal);  // this test's own handler again
        CHECK(heard == 1);
        std::signal(signal, before);
    }
}

TEST_CASE("130: Ctrl-C while nobody reads the pipe that the solution is for") {
    for (const char* flag : {"--out", "--null-space"}) {
        const TemporaryFile pipe(".mtx");
        REQUIRE(mkfifo(pipe.path().c_str(), 0600) == 0);
        const Outcome outcome = run_frond_on_terminal({"solve", "generate:poisson2d:5", flag, pipe.path()}, {},
                                                      flag == std::string("--out") ? "solving" : "null space");
        CHECK(outcome.exit_code == 130);
        CHECK(outcome.out.find("interrupted: the work stopped, no result was written") != std::string::npos);
    }
}

TEST_CASE("numbers with their units") {
    CHECK(cli::text_of_count(0) == "0");
    CHECK(cli::text_of_count(999) == "999");
    CHECK(cli::text_of_count(1490400) == "1,490,400");
    CHECK(cli::text_of_count(-1234) == "-1,234");
    CHECK(cli::counted(0, "pivot") == "0 pivots");
    CHECK(cli::counted(1, "pivot") == "1 pivot");
    CHECK(cli::counted(1234, "pivot") == "1,234 pivots");
    CHECK(cli::counted(1, "matrix", "matrices") == "1 matrix");
    CHECK(cli::counted(2, "matrix", "matrices") == "2 matrices");
    CHECK(cli::text_of_bytes(512) == "512 B");
    CHECK(cli::text_of_bytes(1536) == "1.50 KiB");
    CHECK(cli::text_of_bytes(3.2e9) == "2.98 GiB");
    CHECK(cli::text_of_flops(1.234e12) == "1.23 Tflop");
    CHECK(cli::text_of_rate(999.96e6) == "1.00 Gflop/s");
    CHECK(cli::text_of_seconds(0.00034) == "340 us");
    CHECK(cli::text_of_seconds(0.0123) == "12.3 ms");
    CHECK(cli::text_of_seconds(125.4) == "2 min 05 s");
    CHECK(cli::text_of_seconds(7300) == "2 h 01 min");
    CHECK(cli::text_of_error(1.234e-16) == "1.2e-16");
    CHECK(cli::text_of_error(0.0 / 0.0) == "not finite");
}

TEST_CASE("columns of the table line up") {
    cli::Table table;
    table.section("analysis", "1.3 s");
    table.row("ordering", "metis", "of amd");
    table.row("fronts", "8,137", "largest 54");
    const std::string text = table.text(cli::Style(stdin));
    const auto column = [&](const std::string& word) {
        const std::size_t at = text.find(word), line = text.rfind('\n', at);
        return line == std::string::npos ? at : at - line - 1;
    };
    CHECK(column("1.3 s") == column("metis"));
    CHECK(column("metis") == column("8,137"));
    CHECK(column("of amd") == column("largest"));
}

TEST_CASE("GPUs are found by what the system shows of them") {
    const fs::path root = fs::temp_directory_path() / ("frond-root-" + std::to_string(std::random_device{}()));
    const auto write = [&](const std::string& path, const std::string& text) {
        fs::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text;
    };
    CHECK(find_gpus(root).empty());
    write("dev/nvidia0", "");
    write("dev/nvidiactl", "");
    CHECK(find_gpus(root).size() == 1);
    write("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA H200\nIRQ: 1\n");
    write("sys/class/kfd/kfd/topology/nodes/0/properties", "cpu_cores_count 8\nsimd_count 0\n");
    write("sys/class/kfd/kfd/topology/nodes/1/properties", "simd_count 440\n");
    write("sys/class/kfd/kfd/topology/nodes/1/name", "gfx90a\n");
    write("proc/cpuinfo", "processor\t: 0\nmodel name\t: A Processor 9000\n");
    const auto gpus = find_gpus(root);
    REQUIRE(gpus.size() == 2);
    CHECK(gpus[0].vendor == "NVIDIA");
    CHECK(gpus[0].name == "NVIDIA H200");
    CHECK(gpus[0].number == 0);
    CHECK(gpus[1].vendor == "AMD");
    CHECK(gpus[1].number == 0);
    CHECK(gpus[1].name == "gfx90a");
    CHECK(cli::read_processor(root).name == "A Processor 9000");
    CHECK(cli::read_processor(root).cores > 0);
    write("proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: \t\t NVIDIA L4\n");
    write("sys/class/kfd/kfd/topology/nodes/2/properties", "simd_count 440\n");
    const auto more = find_gpus(root);
    REQUIRE(more.size() == 4);
    CHECK(more[1].name == "NVIDIA L4");
    CHECK(more[1].number == 1);
    CHECK(more[2].number == 0);
    CHECK(more[3].number == 1);
    fs::remove_all(root);
}

TEST_CASE("why a GPU is not used is said of its own vendor") {
    const Gpu amd{"AMD", "gfx90a"}, nvidia{"NVIDIA", "NVIDIA H200"};
    const auto says = [](const SessionInfo& session, const Gpu& gpu, const char* words) {
        return cli::gpu_use(session, gpu).find(words) != std::string::npos;
    };
    SessionInfo session;
    CHECK(cli::tasks_of_build(session) == "this build has no tasks for any");
    CHECK(says(session, amd, "hipcc and a StarPU built with HIP"));
    CHECK(says(session, nvidia, "nvcc and a StarPU built with CUDA"));
    session.gpu_vendor = DeviceVendor::nvidia;
    CHECK(cli::tasks_of_build(session) == "this build has tasks for NVIDIA cards");
    session.gpu_advice = "cuBLAS cannot be loaded";
    CHECK(says(session, amd, "a StarPU built with HIP"));
    CHECK(says(session, nvidia, "cuBLAS cannot be loaded"));
    session.gpu_advice.clear();
    session.cuda_workers = 5;
    session.gpus = 1;
    CHECK(cli::is_used(session, nvidia));
    CHECK_FALSE(cli::is_used(session, amd));
    CHECK(says(session, nvidia, "whole trees and solves"));
    CHECK(says(session, nvidia, "(5 workers)"));
    session.gpu_vendor = DeviceVendor::amd;
    CHECK(cli::tasks_of_build(session) == "this build has tasks for AMD cards");
    CHECK(cli::is_used(session, amd));
    CHECK_FALSE(cli::is_used(session, nvidia));
}

TEST_CASE("an emulated device is distinguished from cards") {
    SessionInfo session;
    session.gpu_vendor = DeviceVendor::emulated;
    session.gpus = 1;
    const std::string played = "this build has tasks for a device that the host plays, for tests";
    CHECK(cli::tasks_of_build(session) == played);
    CHECK(cli::emulated_device_use(session) == "used for whole trees and solves");
    for (const char* const vendor : {"NVIDIA", "AMD"}) {
        const Gpu gpu{vendor, "a card"};
        CHECK_FALSE(cli::is_used(session, gpu));
        CHECK(cli::gpu_use(session, gpu) == "not used: " + played + "; build without FROND_EMULATED_DEVICE");
    }
    session.gpus = 0;
    CHECK(cli::emulated_device_use(session) == "not used: gpus = 0 was asked for");
    session.gpu_advice = "scheduler = lws cannot serve GPUs";
    CHECK(cli::emulated_device_use(session) == "not used: scheduler = lws cannot serve GPUs");
}

TEST_CASE("frond info says where the host plays a device") {
    const Outcome info = run_frond({"info"});
    REQUIRE(info.exit_code == 0);
    const bool played = Session().info().gpu_vendor == DeviceVendor::emulated;
    CHECK((info.out.find("a device that the host plays, for tests") != std::string::npos) == played);
    if (!played) return;
    CHECK(info.out.find(" cards") == std::string::npos);
    CHECK(info.out.find("used for whole trees and solves") != std::string::npos);
    const Outcome without = run_frond({"info", "--gpus", "0"});
    CHECK(without.out.find("not used: gpus = 0 was asked for") != std::string::npos);
}

TEST_CASE("of several cards, those beyond the session's number are not used") {
    SessionInfo session;
    session.gpu_vendor = DeviceVendor::nvidia;
    session.gpus = 1;
    session.cuda_workers = 5;
    for (index_t number = 0; number < 8; ++number) {
        const Gpu gpu{"NVIDIA", "NVIDIA H200", number};
        CHECK(cli::is_used(session, gpu) == (number == 0));
        CHECK((cli::gpu_use(session, gpu).find("not used: gpus = 1") == 0) == (number > 0));
    }
    session.gpus = 3;
    session.cuda_workers = 15;
    const auto use = [&](index_t number) { return cli::gpu_use(session, {"NVIDIA", "NVIDIA H200", number}); };
    CHECK(use(0).find("used for whole trees and solves") == 0);
    CHECK(use(2).find("used for parts of whole trees, where it reaches") == 0);
    CHECK(use(2).find("(5 workers)") != std::string::npos);
    CHECK(use(3).find("not used: gpus = 3") == 0);
    session.gpus = 0;
    session.cuda_workers = 0;
    session.gpu_advice = "scheduler = lws cannot serve GPUs";
    CHECK(use(0) == "not used: scheduler = lws cannot serve GPUs");
}

TEST_CASE("BLAS kernels: who chose them is said") {
    const Outcome users = run_frond({"info"}, {{"OPENBLAS_CORETYPE", "Haswell"}});
    CHECK(users.out.find("by OPENBLAS_CORETYPE=Haswell in the environment") != std::string::npos);
    const Outcome restarted =
        run_frond({"info"}, {{"OPENBLAS_CORETYPE", "SKYLAKEX"}, {"FROND_FIRST_BLAS_KERNEL", "Haswell"}});
    CHECK(restarted.out.find("by frond, in place of Haswell") != std::string::npos);
    const Outcome untouched = run_frond({"info"}, {{"OPENBLAS_CORETYPE", ""}});
    CHECK(untouched.exit_code == 0);
    CHECK(untouched.out.find("kernels") != std::string::npos);
    CHECK(untouched.out.find("advice") == std::string::npos);  // chosen well, by whomever
}
