// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace frond {

/// The BLAS that the kernels call, and whether its kernels suit this processor.
struct BlasInfo {
    std::string name_version;  // "OpenBLAS 0.3.21"
    std::string kernel;  // what OpenBLAS chose when it was loaded, e.g. "Haswell"
    std::string advice;  // empty, or what would make BLAS quicker on this processor
    std::string better_core_type;  // empty, or the OPENBLAS_CORETYPE that would do so, e.g. "SKYLAKEX"
};

/// Facts about the OpenBLAS of this process. OpenBLAS chooses its kernels once, when it is loaded,
/// so a better choice needs OPENBLAS_CORETYPE in the environment before the process starts.
BlasInfo blas_info();

/// True when the processor and the system offer AVX-512 F, DQ, CD, BW and VL: all that the SkylakeX
/// kernels of OpenBLAS use.
bool processor_has_avx512() noexcept;

/// OPENBLAS_CORETYPE that suits better than `kernel`, or empty. OpenBLAS that does not know a
/// processor falls back to kernels for AVX2 or less, which have half the rate of those for AVX-512.
std::string better_core_type(std::string_view kernel, bool has_avx512);

}  // namespace frond
