// SPDX-License-Identifier: BSD-3-Clause
#include "peer.hpp"

namespace frond::bench {

std::vector<PeerEntry> peers() {
    std::vector<PeerEntry> found{frond_peer()};
#ifdef FROND_WITH_MUMPS
    found.push_back(mumps_peer());
#endif
#ifdef FROND_WITH_CHOLMOD
    found.push_back(cholmod_peer());
#endif
#ifdef FROND_WITH_UMFPACK
    found.push_back(umfpack_peer());
#endif
#ifdef FROND_WITH_KLU
    found.push_back(klu_peer());
#endif
#ifdef FROND_WITH_SUPERLU
    found.push_back(superlu_peer());
#endif
#ifdef FROND_WITH_CUDSS
    found.push_back(cudss_peer());
#endif
#ifdef FROND_WITH_PARDISO
    found.push_back(pardiso_peer());
#endif
    return found;
}

}  // namespace frond::bench
