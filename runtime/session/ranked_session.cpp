// SPDX-License-Identifier: BSD-3-Clause
#include "session/ranked_session.hpp"

#include <thread>

#include "frond/base/usable_cores.hpp"
#include "ranks/load_plugin.hpp"

namespace frond::detail {
namespace {

/// Launchers bind ranks to cores: Open MPI, with one or two ranks, to one core each.
std::string advice_on_cores(index_t ranks_here) {
    const index_t usable = usable_cores();
    const auto all = static_cast<index_t>(std::thread::hardware_concurrency());
    if (usable <= 0 || ranks_here <= 0 || usable >= all / ranks_here) return "";
    return "this rank may use " + std::to_string(usable) + " of " + std::to_string(all) + " cores, and " +
           std::to_string(ranks_here) + (ranks_here == 1 ? " rank is" : " ranks are") +
           " on this machine; mpirun --bind-to none, or --map-by slot:PE=N, gives it more";
}

}  // namespace

RankedSession::RankedSession(const void* communicator)
    : ranks_(mpi_plugin().duplicate(communicator)), library_(mpi_plugin().library()) {}

void RankedSession::describe(SessionInfo& info) const {
    info.mpi_ranks = ranks_->size();
    info.mpi_rank = ranks_->rank();
    info.mpi_library = library_;
    info.mpi_advice = advice_on_cores(ranks_->local_size());
}

}  // namespace frond::detail
