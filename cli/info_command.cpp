// SPDX-License-Identifier: BSD-3-Clause
#include "blas_choice.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "frond/enum_text.hpp"
#include "frond/session.hpp"
#include "gpu_use.hpp"
#include "machine.hpp"
#include "output_paths.hpp"
#include "run_json.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "version_text.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

Table info_table(const SessionInfo& session, const Processor& processor,
                 const std::vector<Gpu>& gpus) {
    Table table;
    table.section("frond", version_number(), fmt::format("commit {}", commit()));
    table.section("machine");
    table.row("processor", processor.name + (processor.has_avx512 ? ", AVX-512" : ""));
    table.row("cores", std::to_string(processor.cores));
    table.row("memory", text_of_bytes(static_cast<double>(session.memory_total_bytes)),
              text_of_bytes(static_cast<double>(session.memory_free_bytes)) + " free");
    table.section("StarPU", session.starpu_version);
    table.row("CPU workers", std::to_string(session.cpu_workers));
    const std::string cards = session.gpus > 0 ? "for " + counted(session.gpus, "card") : "";
    table.row("CUDA workers", std::to_string(session.cuda_workers), session.cuda_workers > 0 ? cards : "");
    table.row("HIP workers", std::to_string(session.hip_workers), session.hip_workers > 0 ? cards : "");
    table.row("MPI ranks", std::to_string(session.mpi_ranks));
    table.row("scheduler", session.scheduler);
    table.section("BLAS", session.blas);
    table.row("kernels", session.blas_kernel);
    table.row("chosen", blas_choice_text());
    if (!session.blas_advice.empty()) table.row("advice", session.blas_advice);
    table.section("GPUs", gpus.empty() ? "none found" : std::to_string(gpus.size()), tasks_of_build(session));
    if (session.gpu_vendor == DeviceVendor::emulated)
        table.row(to_string(session.gpu_vendor), emulated_device_use(session));
    for (const Gpu& gpu : gpus)
        table.row(fmt::format("{} {}", gpu.vendor, gpu.number), gpu.name + ": " + gpu_use(session, gpu));
    return table;
}

Json info_json(const SessionInfo& session, const Processor& processor,
               const std::vector<Gpu>& gpus) {
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
    return object;
}

} // namespace

int info_command(const CommandLine& line) {
    expect_writable_file(line.json_file);
    const Session session(line.options.session);
    const SessionInfo info = session.info();
    const Processor processor = read_processor();
    const std::vector<Gpu> gpus = find_gpus();
    if (!line.json_file.empty()) write_json(line.json_file, info_json(info, processor, gpus));
    std::FILE* const stream = table_stream(line);
    fmt::print(stream, "\n{}\n", info_table(info, processor, gpus).text(Style(stream)));
    return solved;
}

} // namespace frond::cli
