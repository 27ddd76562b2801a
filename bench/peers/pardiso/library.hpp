// SPDX-License-Identifier: BSD-3-Clause
// Intel MKL's PARDISO, loaded at run time and apart from the BLAS that Frond is linked with: its
// symbols are seen through this struct alone.
#pragma once

#include <mkl_pardiso.h>
#include <mkl_service.h>
#include <string>

namespace frond::bench {

struct PardisoLibrary {
    decltype(&::pardiso) pardiso = nullptr;
    decltype(&::pardisoinit) pardisoinit = nullptr;
    decltype(&::MKL_Set_Num_Threads) set_threads = nullptr;
};

/// The version in the header.
std::string mkl_version();

/// Intel's OpenMP, which PARDISO's process must load before any other: MKL calls functions of both
/// by the same names.
std::string intel_openmp_library();

/// Loaded once, with Intel's OpenMP. @throws std::runtime_error  it cannot be loaded, is not of the
/// header's version, or another OpenMP was loaded first
const PardisoLibrary& pardiso_library();

/// "-4: zero pivot, numerical factorization or iterative refinement problem"
std::string pardiso_error_text(MKL_INT error);

}  // namespace frond::bench
