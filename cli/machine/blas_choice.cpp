// SPDX-License-Identifier: BSD-3-Clause
#include "blas_choice.hpp"

#include "frond/cpu/blas_info.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace frond::cli {
namespace {

constexpr const char* core_type = "OPENBLAS_CORETYPE";
// Set for the second start: the kernel that OpenBLAS had chosen, or why the start failed.
constexpr const char* first_choice = "FROND_FIRST_BLAS_KERNEL";
constexpr const char* failure = "FROND_BLAS_RESTART_FAILURE";

}  // namespace

void restart_with_suitable_blas_kernels(char** argv) {
    if (std::getenv(core_type) || std::getenv(first_choice)) return;
    const BlasInfo blas = blas_info();
    if (blas.better_core_type.empty()) return;
    setenv(core_type, blas.better_core_type.c_str(), 1);
    setenv(first_choice, blas.kernel.c_str(), 1);
    execv("/proc/self/exe", argv);
    setenv(failure, std::strerror(errno), 1);
    unsetenv(core_type);  // OpenBLAS has read it already; children of this process must not
    unsetenv(first_choice);
}

std::string blas_choice_text() {
    if (const char* reason = std::getenv(failure))
        return std::string("by OpenBLAS; starting again with a better choice failed: ") + reason;
    if (const char* replaced = std::getenv(first_choice))
        return std::string("by frond, in place of ") + replaced +
               ": the processor has AVX-512, which OpenBLAS did not make use of";
    if (const char* set = std::getenv(core_type))
        return std::string("by ") + core_type + "=" + set + " in the environment";
    return "by OpenBLAS, and it suits the processor";
}

}  // namespace frond::cli
