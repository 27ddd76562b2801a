// SPDX-License-Identifier: BSD-3-Clause
// Flexible GMRES (Saad 1993) preconditioned from the right by the factors: repairs what refinement
// with perturbed factors cannot.
#pragma once

#include "system/backward_error.hpp"
#include "refinement/refine.hpp"

namespace frond {

struct GmresOptions {
    index_t restart = 30;  // at most; fewer vectors where memory for these is refused
    index_t max_iterations = 150;  // per right-hand side, over all restarts
    double target = 0;  // as RefinementOptions::target
    bool perturbed = false;  // see backward_error()
    const std::atomic<bool>* cancel = nullptr;
};

/// Bytes that one call of gmres() holds: 2 restart + 4 vectors of scalars, 2 of reals, and what does not grow with
/// the order, or little.
template <class T>
count_t gmres_bytes(index_t order, index_t restart);

/// Improves the columns of X that `report` (of refine) marks as not converged, one after the other,
/// and brings the report up to date. Each restart solves op(A) d = r in the norm ||W^-1 r||_2 with
/// W the denominators of the componentwise error at the present x, so that componentwise error <=
/// ||W^-1 r||_2 <= sqrt(n) componentwise error: small components count as much as large ones
/// (weighted norm: Essai 1998). A column ends at the target, when a restart does not halve its
/// error, or after max_iterations; it is never made worse. Where memory is refused it ends (the report says so), X and
/// report being those of the columns and restarts before.
/// inverse: X := op(A)^-1 X by the factors. Its vectors are in the host's memory, wherever the factors are applied.
template <class T>
void gmres(const LinearSystem<T>& system, DenseView<const T> b, const ApplyBlock<T>& inverse, DenseView<T> x,
           const GmresOptions& options, RefinementReport& report);

}  // namespace frond
