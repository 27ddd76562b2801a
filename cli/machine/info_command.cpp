// SPDX-License-Identifier: BSD-3-Clause
#include "environment.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/enum_text.hpp"
#include "frond/mpi_process.hpp"
#include "frond/session.hpp"
#include "machine.hpp"
#include "machine.hpp"
#include "arguments/output_paths.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "terminal/terminal.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

struct Facts {
    SessionInfo session;
    Processor processor;
    std::vector<Gpu> gpus;
    MpiLibrary mpi;
    std::string refusal;  // why the GPUs that were asked for cannot be had; the session is without them
};

/// Which file, or why none.
std::string tuning_note(const SessionInfo& session) {
    if (!session.tuning_file.empty()) return session.tuning_file;
    return session.tuning_advice.empty() ? "frond tune measures this machine" : session.tuning_advice;
}

Table info_table(const Facts& facts) {
    const auto& [session, processor, gpus, mpi, refusal] = facts;
    Table table;
    table.section("frond", version_number(), fmt::format("commit {}", commit()));
    table.section("machine");
    table.row("processor", processor.name + (processor.has_avx512 ? ", AVX-512" : ""));
    table.row("cores", std::to_string(processor.cores));
    table.row("memory", text_of_bytes(static_cast<double>(session.memory_total_bytes)),
              text_of_bytes(static_cast<double>(session.memory_free_bytes)) + " free");
    table.section("StarPU", session.starpu_version);
    table.row("CPU workers", std::to_string(session.cpu_workers), "binding: " + session.worker_binding);
    const std::string cards = session.gpus > 0 ? "for " + counted(session.gpus, "card") : "";
    table.row("CUDA workers", std::to_string(session.cuda_workers), session.cuda_workers > 0 ? cards : "");
    table.row("HIP workers", std::to_string(session.hip_workers), session.hip_workers > 0 ? cards : "");
    table.row("scheduler", session.scheduler);
    table.row("tuning", session.tuning_file.empty() ? "none" : session.tuning, tuning_note(session));
    table.section("MPI", mpi.name.empty() ? "none" : mpi.name, mpi.advice);
    table.row("ranks", std::to_string(session.mpi_ranks), session.mpi_advice);
    table.section("BLAS", session.blas);
    table.row("kernels", session.blas_kernel);
    table.row("chosen", blas_choice_text());
    if (!session.blas_advice.empty()) table.row("advice", session.blas_advice);
    table.section("GPUs", gpus.empty() ? "none found" : std::to_string(gpus.size()), tasks_of_build(session));
    if (!refusal.empty()) table.row("asked for", "refused", refusal);
    if (session.gpu_vendor == DeviceVendor::emulated)
        table.row(to_string(session.gpu_vendor), emulated_device_use(session));
    for (const Gpu& gpu : gpus)
        table.row(fmt::format("{} {}", gpu.vendor, gpu.number), gpu.name + ": " + gpu_use(session, gpu));
    return table;
}

Json info_json(const Facts& facts) {
    const auto& [session, processor, gpus, mpi, refusal] = facts;
    Json list = Json::array();
    for (const Gpu& gpu : gpus)
        list.push_back({{"vendor", gpu.vendor},
                        {"number", gpu.number},
                        {"name", gpu.name},
                        {"used", is_used(session, gpu)},
                        {"reason", gpu_use(session, gpu)}});
    Json object = {{"frond", session_json(session)}};
    object["frond"]["blas_kernel_choice"] = blas_choice_text();
    object["frond"]["blas_advice"] = session.blas_advice;
    object["machine"] = {{"processor", processor.name},
                         {"cores", processor.cores},
                         {"avx512", processor.has_avx512},
                         {"memory_total_bytes", session.memory_total_bytes},
                         {"memory_free_bytes", session.memory_free_bytes}};
    object["gpus"] = std::move(list);
    object["mpi"] = {{"library", mpi.name}, {"reason", mpi.advice}};
    object["error"] = nullptr;
    object["exit_code"] = static_cast<int>(solved);
    return object;
}

// Whoever asks for GPUs that cannot be had wants to see all the more what there is.
Facts find_facts(const CommandLine& line) {
    const auto found = [](const SessionOptions& options) {
        return Facts{Session(options).info(), read_processor(), find_gpus(), mpi_library(), ""};
    };
    try {
        return found(line.options.session);
    } catch (const InvalidArgument& error) {
        if (line.options.session.gpus <= 0) throw;
        SessionOptions without = line.options.session;
        without.gpus = 0;
        Facts facts = found(without);
        facts.refusal = error.what();
        return facts;
    }
}

void print_facts(const CommandLine& line, const Facts& facts) {
    if (facts.session.mpi_rank > 0) return;
    std::FILE* const stream = table_stream(line);
    print_text(stream, fmt::format("\n{}\n", info_table(facts).text(Style(stream))));
    if (!facts.refusal.empty()) throw InvalidArgument(facts.refusal);
}

}  // namespace

int info_command(const CommandLine& line) {
    Json object{{"frond", session_json({})}};
    const auto work = [&] {
        expect_writable_file(line.json_file);
        const Facts facts = find_facts(line);
        object = info_json(facts);
        print_facts(line, facts);
        if (!line.json_file.empty()) write_json(line.json_file, object);
        return static_cast<int>(solved);
    };
    return with_error_json(line, work, [&] { return object; });
}

}  // namespace frond::cli
