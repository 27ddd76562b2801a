// SPDX-License-Identifier: BSD-3-Clause
#include "machine/blas_choice.hpp"
#include "commands.hpp"
#include "terminal/print.hpp"

int main(int argc, char** argv) {
    frond::cli::keep_standard_descriptors();
    frond::cli::restart_with_suitable_blas_kernels(argv);
    return frond::cli::run_program(argc, argv);
}
