// SPDX-License-Identifier: BSD-3-Clause
#include "peer_inertia.hpp"

#include "peer.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace frond::bench {

std::optional<count_t> negative_by_mumps(const SparseMatrix<double>& a) {
    if (a.symmetry == Symmetry::general) return std::nullopt;
    const auto all = peers();
    const auto entry =
        std::find_if(all.begin(), all.end(), [](const PeerEntry& p) { return p.name == std::string("MUMPS"); });
    if (entry == all.end()) return std::nullopt;
    const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
    std::vector<double> x(b.size());
    try {
        const auto peer = entry->make(AnyProblem(Problem<double>{a, Mode::symmetric, b, x, 1}));
        peer->start();
        peer->analyze();
        peer->factor();
        return peer->facts().negative;
    } catch (const std::runtime_error&) {  // of MUMPS itself: then it says nothing of this matrix
        return std::nullopt;
    }
}

}  // namespace frond::bench
