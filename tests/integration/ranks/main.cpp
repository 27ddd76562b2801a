// SPDX-License-Identifier: BSD-3-Clause
// All ranks run all cases that are possible on them (needs_ranks.hpp); one that fails is enough for mpirun to fail.
#define DOCTEST_CONFIG_IMPLEMENT
#include "frond/mpi.h"
#include "leak_check.hpp"
#include "leaks_expected.hpp"
#include "possible_cases.hpp"

#include <doctest/doctest.h>

#include <cstdio>

int main(int count, char** arguments) {
    int level = MPI_THREAD_SINGLE, status = MPI_SUCCESS;
    {
        const frond::test::LeaksExpected of_mpi;  // Open MPI and PMIx lose some 200 bytes while they start
        status = MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
    }
    if (status != MPI_SUCCESS || level != MPI_THREAD_MULTIPLE) {
        std::fprintf(stderr, "MPI has no MPI_THREAD_MULTIPLE\n");
        return 1;
    }
    const int result = frond::test::run_possible_cases(count, arguments);
    frond::test::check_leaks();
    MPI_Finalize();
    return result;
}
