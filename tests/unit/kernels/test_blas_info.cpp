// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/blas_info.hpp"

#include "child_process.hpp"

#include <cblas.h>
#include <doctest/doctest.h>

#include <string>

using namespace frond;
using namespace frond::test;

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

#if defined(__x86_64__)

// Run below, each in a process of its own: OpenBLAS chooses when it is loaded.
TEST_CASE("in a child: the kernels are Prescott's" * doctest::skip()) {
    const BlasInfo info = blas_info();
    CHECK(info.name_version.rfind("OpenBLAS ", 0) == 0);
    CHECK(info.name_version.find(' ', 9) == std::string::npos);
    CHECK(info.kernel == "Prescott");
    CHECK(info.better_core_type == (processor_has_avx512() ? "SKYLAKEX" : ""));
    const bool advised = info.advice.find("OPENBLAS_CORETYPE=Prescott is set; SKYLAKEX") != std::string::npos;
    CHECK(advised == processor_has_avx512());
}

TEST_CASE("in a child: the kernels suit AVX-512" * doctest::skip()) {
    const BlasInfo info = blas_info();
    CHECK(info.kernel == "SkylakeX");
    CHECK(info.better_core_type.empty());
    CHECK(info.advice.empty());
}

TEST_CASE("kernels are named as chosen, and advice follows from them") {
    if (std::string(openblas_get_config()).find("DYNAMIC_ARCH") == std::string::npos) {
        MESSAGE("this OpenBLAS has one set of kernels");
        CHECK(blas_info().kernel == openblas_get_corename());
        return;
    }
    CHECK(run_case_in_child("in a child: the kernels are Prescott's", {{"OPENBLAS_CORETYPE", "Prescott"}}, 120) == 0);
    if (processor_has_avx512())
        CHECK(run_case_in_child("in a child: the kernels suit AVX-512", {{"OPENBLAS_CORETYPE", "SKYLAKEX"}}, 120) == 0);
}

#endif
