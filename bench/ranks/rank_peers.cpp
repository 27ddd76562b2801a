// SPDX-License-Identifier: BSD-3-Clause
// The solvers that work on several ranks, by the names of those that work on one.
#include "peer.hpp"
#include "together.hpp"

namespace frond::bench {
namespace {

/// A solver each of whose steps ends on all ranks before the next begins on any.
template <PeerEntry (*entry)()>
PeerEntry together() {
    PeerEntry all = entry();
    all.make = [](const AnyProblem& problem) -> std::unique_ptr<Peer> {
        std::unique_ptr<Peer> one = entry().make(problem);
        return one == nullptr ? nullptr : std::make_unique<TogetherPeer>(std::move(one));
    };
    return all;
}

}  // namespace

std::vector<PeerEntry> peers() {
    std::vector<PeerEntry> found{together<frond_peer>()};
#ifdef FROND_WITH_MUMPS_ON_RANKS
    found.push_back(together<mumps_peer>());
#endif
#ifdef FROND_WITH_SUPERLU_DIST
    found.push_back(together<superlu_dist_peer>());
#endif
    return found;
}

}  // namespace frond::bench
