// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/blas_info.hpp"

#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

using namespace frond;

TEST_CASE("kernels below AVX-512 on a processor that has it call for another core type") {
    for (const char* kernel : {"Haswell", "Zen", "Prescott", "SANDYBRIDGE", "Generic"}) {
        CAPTURE(kernel);
        CHECK(better_core_type(kernel, true) == "SKYLAKEX");
        CHECK(better_core_type(kernel, false).empty());
    }
    for (const char* kernel : {"SkylakeX", "SKYLAKEX", "Cooperlake", "Sapphirerapids"}) {
        CAPTURE(kernel);
        CHECK(better_core_type(kernel, true).empty());
    }
}

TEST_CASE("the BLAS of this process is named, and advice follows from its kernels") {
    const BlasInfo info = blas_info();
    CHECK(info.name_version.rfind("OpenBLAS ", 0) == 0);
    CHECK(info.name_version.find(' ', 9) == std::string::npos);
    CHECK(!info.kernel.empty());
    CHECK(info.better_core_type == better_core_type(info.kernel, processor_has_avx512()));
    CHECK(info.advice.empty() == info.better_core_type.empty());
    if (!info.advice.empty())
        CHECK(info.advice.find("OPENBLAS_CORETYPE") != std::string::npos);
}
