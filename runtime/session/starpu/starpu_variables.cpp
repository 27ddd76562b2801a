// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/starpu_variables.hpp"

#include "frond/base/error.hpp"

#include <starpu.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <unistd.h>

namespace frond::detail {
namespace {

constexpr std::string_view prefix = "STARPU_";

/// Variables without their prefix, between blanks, that StarPU 1.4 reads as whole numbers, but for
/// those of LIMIT_... and of schedulers that choose nothing for Frond's tasks.
constexpr std::string_view whole_numbers =
    " BACKOFF_MAX BACKOFF_MIN BUS_CALIBRATE BUS_STATS CALIBRATE CALIBRATE_MINIMUM "
    "CATCH_SIGNALS CHECK_ENTIRE_PLATFORM CODELET_PROFILING CUDA_ONLY_FAST_ALLOC_OTHER_MEMNODES CUDA_PIPELINE "
    "CUDA_THREAD_PER_DEV CUDA_THREAD_PER_WORKER DATA_LOCALITY_ENFORCE "
    "DISABLE_ASYNCHRONOUS_COPY DISABLE_ASYNCHRONOUS_CUDA_COPY DISABLE_ASYNCHRONOUS_HIP_COPY "
    "DISABLE_ASYNCHRONOUS_MAX_FPGA_COPY DISABLE_ASYNCHRONOUS_MPI_MS_COPY "
    "DISABLE_ASYNCHRONOUS_OPENCL_COPY DISABLE_ASYNCHRONOUS_TCPIP_MS_COPY DISABLE_KERNELS "
    "DISABLE_PINNING DISK_SWAP_SIZE DISPLAY_BINDINGS ENABLE_CUDA_GPU_GPU_DIRECT ENABLE_MAP "
    "ENERGY_PROFILING "
    "EXPECTED_TRANSFER_TIME_WRITEBACK FXT_TRACE GENERATE_TRACE GLOBAL_ARBITER "
    "HISTORY_MAX_ERROR MAIN_THREAD_BIND MAIN_THREAD_COREID MAIN_THREAD_CPUID MAX_MEMORY_USE "
    "MAX_PRIO MAX_WORKERSIZE MEMORY_STATS MINIMUM_AVAILABLE_MEM MINIMUM_CLEAN_BUFFERS "
    "MIN_PRIO MIN_WORKERSIZE MPI_THREAD_COREID MPI_THREAD_CPUID NCPU NCPUS NCUDA NHIP NMAX_FPGA NMPI_MS NOPENCL "
    "NTASKS_THRESHOLD "
    "NTCPIP_MS NTHREADS_PER_CORE NWORKER_PER_CUDA OPENCL_ONLY_ON_CPUS OPENCL_ON_CPUS "
    "OPENCL_PIPELINE PCI_FLAT PERF_MODEL_HOMOGENEOUS_CPU PREFETCH RAND_SEED RESERVE_NCPU "
    "SILENT SIMGRID SINGLE_COMBINED_WORKER STATS SUBALLOCATOR "
    "SYNTHESIZE_ARITY_COMBINED_WORKER TARGET_AVAILABLE_MEM TARGET_CLEAN_BUFFERS "
    "TASK_BREAK_ON_EXEC TASK_BREAK_ON_POP TASK_BREAK_ON_PUSH TASK_BREAK_ON_SCHED "
    "TASK_PROGRESS TRACE_BUFFER_SIZE USE_NUMA WATCHDOG_CRASH WATCHDOG_DELAY WORKERS_GETBIND "
    "WORKERS_NOBIND WORKER_TREE ";

constexpr std::string_view real_numbers =
    " EXP_LEN_THRESHOLD IDLE_POWER SCHED_ALPHA SCHED_BETA SCHED_GAMMA "
    "WINDOW_TIME_SIZE ";

/// Processors or devices of workers, such as "0 2-5".
constexpr std::string_view lists = " WORKERS_COREID WORKERS_CPUID WORKERS_CUDAID WORKERS_HIPID WORKERS_OPENCLID ";

struct Range {
    std::string_view name;
    long smallest, largest;
};

constexpr long most_workers = std::min<long>(STARPU_MAXCPUS, STARPU_NMAXWORKERS);
constexpr std::array<Range, 4> ranges{{{"NCPU", 0, most_workers},
                                       {"NCPUS", 0, most_workers},
                                       {"NTHREADS_PER_CORE", 1, most_workers},
                                       {"NWORKER_PER_CUDA", 1, STARPU_NMAXWORKERS - 1}}};

bool is_in(std::string_view names, std::string_view name) {
    std::string word(1, ' ');
    word.append(name).push_back(' ');
    return names.find(word) != std::string_view::npos;
}

[[noreturn]] void refuse(std::string_view name, std::string_view value, const std::string& wanted) {
    throw InvalidArgument(std::string(prefix) + std::string(name) + " = '" + std::string(value) + "' is not " + wanted +
                          "; correct the variable or unset it");
}

/// StarPU takes an empty value for 0.
void expect_whole_number(std::string_view name, const char* value) {
    Range range{name, 0, std::numeric_limits<int>::max()};
    for (const Range& r : ranges)
        if (r.name == name) range = r;
    char* end = nullptr;
    const long number = std::strtol(value, &end, 10);  // as StarPU does; too large a number gives the largest
    if (*end == '\0' && number >= range.smallest && number <= range.largest) return;
    const bool bounded = range.largest < std::numeric_limits<int>::max();
    refuse(name, value,
           "a whole number >= " + std::to_string(range.smallest) +
               (bounded ? " and <= " + std::to_string(range.largest) : ""));
}

void expect_real_number(std::string_view name, std::string_view value) {
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) refuse(name, value, "a number such as 0.5");
}

void expect_list(std::string_view name, const char* value) {
    const char* first = value;
    while (std::isspace(static_cast<unsigned char>(*first)) != 0) ++first;
    if (std::isdigit(static_cast<unsigned char>(*first)) == 0) refuse(name, value, "a list of numbers such as 0 2-5");
}

}  // namespace

std::vector<const char*> hidden_variables(const SessionOptions& options) {
    // The scheduler is given to StarPU in any case. A bound of submitted tasks makes the thread that
    // submits wait in StarPU, where it can no longer let go what was deferred: for ever, perhaps.
    std::vector<const char*> names{"STARPU_SCHED", "STARPU_LIMIT_MAX_SUBMITTED_TASKS",
                                   "STARPU_LIMIT_MIN_SUBMITTED_TASKS"};
    if (options.cpu_workers > 0) names.insert(names.end(), {"STARPU_NCPU", "STARPU_NCPUS", "STARPU_RESERVE_NCPU"});
    if (options.gpus >= 0) names.insert(names.end(), {"STARPU_NCUDA", "STARPU_NHIP"});
    if (options.gpu_memory_bytes > 0) names.insert(names.end(), {"STARPU_LIMIT_CUDA_MEM", "STARPU_LIMIT_HIP_MEM"});
    return names;
}

void expect_starpu_variables(const std::vector<const char*>& hidden) {
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view variable(*entry);
        const std::size_t equals = variable.find('=');
        if (!variable.starts_with(prefix) || equals == std::string_view::npos) continue;
        if (std::find(hidden.begin(), hidden.end(), variable.substr(0, equals)) != hidden.end()) continue;
        const std::string_view name = variable.substr(prefix.size(), equals - prefix.size());
        const char* const value = *entry + equals + 1;
        if (is_in(whole_numbers, name) || name.starts_with("LIMIT_")) expect_whole_number(name, value);
        if (is_in(real_numbers, name)) expect_real_number(name, value);
        if (is_in(lists, name)) expect_list(name, value);
    }
}

}  // namespace frond::detail
