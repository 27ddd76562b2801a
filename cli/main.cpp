// SPDX-License-Identifier: BSD-3-Clause
#include "machine/environment.hpp"
#include "commands.hpp"
#include "terminal/terminal.hpp"

#ifdef FROND_SIMULATION

#include <csignal>
#include <sys/prctl.h>

#include <starpu_simgrid_wrap.h>  // main() is called by that of StarPU, as a thread of SimGrid

int main(int argc, char** argv) {
    static_cast<void>(prctl(PR_SET_PDEATHSIG, SIGKILL));  // of no use to anybody without frond, which started it
    return frond::cli::run_program(argc, argv);
}

#else

int main(int argc, char** argv) {
    frond::cli::keep_standard_descriptors();
    frond::cli::restart_with_suitable_blas_kernels(argv);
    return frond::cli::run_program(argc, argv);
}

#endif
