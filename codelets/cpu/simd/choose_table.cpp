// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/kernels.hpp"
#include "prelude.hpp"

#include <cstdlib>
#include <string_view>

namespace frond::cpu {

namespace {

enum class InstructionSet { baseline, avx2, avx512 };

constexpr const char* names[] = {"baseline", "avx2", "avx512"};

InstructionSet widest() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return InstructionSet::avx512;
    if (avx2) return InstructionSet::avx2;
#endif
    return InstructionSet::baseline;
}

InstructionSet choose() {
    const InstructionSet best = widest();
    const char* wanted = std::getenv("FROND_INSTRUCTION_SET");
    for (int s = 0; wanted != nullptr && s < static_cast<int>(best); ++s)
        if (std::string_view(wanted) == names[s]) return static_cast<InstructionSet>(s);
    return best;
}

InstructionSet chosen() {
    static const InstructionSet set = choose();
    return set;
}

template <class T>
const simd::KernelTable<T>& chosen_table() {
#if defined(__x86_64__)
    if (chosen() == InstructionSet::avx512) return avx512::table<T>();
    if (chosen() == InstructionSet::avx2) return avx2::table<T>();
#endif
    return baseline::table<T>();
}

}  // namespace

const char* instruction_set() noexcept { return names[static_cast<int>(chosen())]; }

template <class T>
const simd::KernelTable<T>& simd::kernels() {
    static const KernelTable<T>& table = chosen_table<T>();
    return table;
}

#define FROND_INSTANTIATE(T) template const simd::KernelTable<T>& simd::kernels<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
