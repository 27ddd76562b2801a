// SPDX-License-Identifier: BSD-3-Clause
// bench_kernels [fronts|tiles|memory|acceptance|subtrees|all|device] [s|d|c|z ...] [--largest N]: rates of the CPU
// kernels over sizes up to N, one thread; with `device` of the tasks and whole trees on a card instead. Results
// are checked as they are timed, and a wrong one makes the exit code 1; times are medians of thread CPU time, on
// a card of wall-clock time.
#include "bench_kernels.hpp"
#include "device_tasks.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" {
void openblas_set_num_threads(int);
char* openblas_get_corename(void);
}

namespace {

template <class T>
void run(const std::string& what, const char* scalar, frond::bench::Run& settings) {
    using namespace frond::bench;
    if (what == "fronts" || what == "all") bench_fronts<T>(scalar, settings);
    if (what == "tiles" || what == "all") bench_tiles<T>(scalar, settings);
    if (what == "memory" || what == "all") bench_memory<T>(scalar, settings);
    if (what == "acceptance" || what == "all") bench_acceptance<T>(scalar, settings);
    if (what == "subtrees" || what == "all") bench_subtrees<T>(scalar, settings);
    if (what != "device") return;
    bench_device_tiles<T>(scalar, settings);
    bench_device_acceptance<T>(scalar, settings);
    bench_device_trees<T>(scalar, settings);
}

template <class T>
constexpr const char* name_of() {
    if constexpr (frond::is_complex<T>)
        return sizeof(T) == 8 ? "c" : "z";
    else
        return sizeof(T) == 4 ? "s" : "d";
}

}  // namespace

int main(int count, char** arguments) {
    const std::string what = count > 1 ? arguments[1] : "all";
    std::string scalars;
    frond::bench::Run settings;
    for (int i = 2; i < count; ++i)
        if (std::string(arguments[i]) == "--largest" && i + 1 < count)
            settings.largest = std::atoi(arguments[++i]);
        else
            scalars += arguments[i];
    if (scalars.empty()) scalars = "dz";
    if (what == "device" && !frond::bench::has_device()) {
        std::printf("no card that Frond can use: nothing measured %s\n",
                    frond::bench::device_session().info().gpu_advice.c_str());
        return 0;
    }
    openblas_set_num_threads(1);
    std::printf("kernels: %s; BLAS kernels: %s\n", frond::cpu::instruction_set(), openblas_get_corename());
#define FROND_RUN(T) \
    if (scalars.find(name_of<T>()) != std::string::npos) run<T>(what, name_of<T>(), settings);
    FROND_FOR_EACH_SCALAR(FROND_RUN)
    std::printf("\n%d wrong results\n", settings.wrong);
    return settings.wrong == 0 ? 0 : 1;
}
