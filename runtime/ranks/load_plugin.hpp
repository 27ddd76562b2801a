// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ranks/mpi_plugin.hpp"

namespace frond::detail {

/// libfrond_mpi, loaded at the first call. @throws RuntimeError  it is not there, or does not suit this Frond or the MPI
/// that runs. @par Thread safety  any
const MpiPlugin& mpi_plugin();

}  // namespace frond::detail
