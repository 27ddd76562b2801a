// SPDX-License-Identifier: BSD-3-Clause
// How peers are made of solvers that take every scalar and have L L^H, L D L^T, L D L^H and L U.
#pragma once

#include "frond/base/instantiate.hpp"
#include "peer.hpp"

namespace frond::bench {

/// Null for scalars that this build leaves out, and for L L^H of a complex symmetric matrix, which is none.
template <template <class T> class SolverPeer>
std::unique_ptr<Peer> make_peer(const AnyProblem& problem) {
    return std::visit(
        []<class T>(const Problem<T>& p) -> std::unique_ptr<Peer> {
            const bool complex_symmetric = is_complex<T> && p.a.symmetry == Symmetry::symmetric;
            if constexpr (is_built<T>())
                if (p.mode != Mode::definite || !complex_symmetric) return std::make_unique<SolverPeer<T>>(p);
            return nullptr;
        },
        problem);
}

}  // namespace frond::bench
