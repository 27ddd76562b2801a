/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators of MPI for Frond, in C, C++ and (by their integers) Fortran: the one header that includes mpi.h.
 * It needs no library other than frond and the MPI of the application.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
 *     frond_session_create_mpi("cpu_workers=4", MPI_COMM_WORLD, &session);
 *
 * In C++: frond::SessionOptions options; options.communicator = &communicator, an MPI_Comm that lives until the session
 * is made. */
#ifndef FROND_MPI_H
#define FROND_MPI_H

/* MPI's C interface alone: its C++ classes left the standard in 2012, and need another library. */
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include "frond/frond.h"

/** frond_session_create_on with a communicator as a value. Collective over it. */
static inline frond_status frond_session_create_mpi(const char* options, MPI_Comm communicator,
                                                    frond_session** session) {
    return frond_session_create_on(options, &communicator, session);
}

/** The same for the integer that Fortran has for a communicator. */
static inline frond_status frond_session_create_fortran(const char* options, MPI_Fint communicator,
                                                        frond_session** session) {
    return frond_session_create_mpi(options, MPI_Comm_f2c(communicator), session);
}

#endif
