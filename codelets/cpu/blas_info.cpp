// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/blas_info.hpp"

#include <cblas.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace frond {
namespace {

std::string lower_case(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

// "OpenBLAS 0.3.21 DYNAMIC_ARCH ..." -> "OpenBLAS 0.3.21"
std::string name_and_version(std::string_view config) {
    const std::size_t name_end = config.find(' ');
    if (name_end == std::string_view::npos) return std::string(config);
    return std::string(config.substr(0, config.find(' ', name_end + 1)));
}

std::string advice_for(const BlasInfo& info) {
    if (info.better_core_type.empty()) return {};
    if (const char* chosen = std::getenv("OPENBLAS_CORETYPE"))
        return std::string("OPENBLAS_CORETYPE=") + chosen + " is set; " + info.better_core_type +
               " gives up to twice the rate on this processor";
    return info.name_version + " does not know this processor; OPENBLAS_CORETYPE=" + info.better_core_type +
           " in the environment gives up to twice the rate";
}

}  // namespace

bool processor_has_avx512() noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

std::string better_core_type(std::string_view kernel, bool has_avx512) {
    constexpr std::array<std::string_view, 3> avx512_kernels{"skylakex", "cooperlake", "sapphirerapids"};
    const std::string name = lower_case(kernel);
    const bool suits = std::find(avx512_kernels.begin(), avx512_kernels.end(), name) != avx512_kernels.end();
    return has_avx512 && !suits ? "SKYLAKEX" : "";
}

BlasInfo blas_info() {
    BlasInfo info;
    info.name_version = name_and_version(openblas_get_config());
    info.kernel = openblas_get_corename();
    info.better_core_type = better_core_type(info.kernel, processor_has_avx512());
    info.advice = advice_for(info);
    return info;
}

}  // namespace frond
