// SPDX-License-Identifier: BSD-3-Clause
#include "refinement/forward_error.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/loop_purpose.hpp"
#include "frond/base/vector_index.hpp"
#include "system/largest_magnitude.hpp"
#include "system/row_chunks.hpp"

#include <algorithm>
#include <limits>

namespace frond {
namespace {

/// w := |r| + (n_i + 1) eps w, w being |op(A)| |x| + |b|.
template <class T>
void add_residual(const ParallelFor& parallel_for, const std::vector<T>& r, const std::vector<index_t>& row_entries,
                  std::vector<real_t<T>>& w) {
    constexpr auto eps = std::numeric_limits<real_t<T>>::epsilon();
    const auto n = static_cast<count_t>(w.size());
    const LoopPurpose purpose("error");
    for_row_chunks(parallel_for, n, 1, [&](count_t, count_t begin, count_t end, count_t) {
        for (std::size_t i = at(begin); i < at(end); ++i)
            w[i] = std::abs(r[i]) + static_cast<real_t<T>>(row_entries[i] + 1) * eps * w[i];
    });
}

/// ||op(A)^-1 diag(w)||_inf
template <class T>
double weighted_norm(const ParallelFor& parallel_for, const std::vector<real_t<T>>& w, const ApplyBlock<T>& inverse,
                     const ApplyBlock<T>& adjoint_inverse) {
    const ApplyBlock<T> apply = [&](DenseView<T> x) {
        adjoint_inverse(x);
        scale_rows(parallel_for, w, x);
    };
    const ApplyBlock<T> apply_adjoint = [&](DenseView<T> x) {
        scale_rows(parallel_for, w, x);
        inverse(x);
    };
    return estimate_one_norm<T>(static_cast<index_t>(w.size()), apply, apply_adjoint);
}

template <class T>
double norm_of(const T* x, index_t n) {
    Largest largest;
    for (index_t i = 0; i < n; ++i) largest.see(magnitude(x[i]));
    return largest.value();
}

}  // namespace

template <class T>
std::vector<double> forward_error_bounds(const LinearSystem<T>& system, DenseView<const T> b, DenseView<const T> x,
                                         const ApplyBlock<T>& inverse, const ApplyBlock<T>& adjoint_inverse) {
    const index_t n = system.order();
    const std::vector<index_t> row_entries = system.applied().entries_of_rows();
    std::vector<T> r(at(n));
    std::vector<real_t<T>> w(at(n));
    std::vector<double> bounds;
    for (index_t j = 0; j < x.cols; ++j) {
        system.residual(x.block(0, j, n, 1), b.block(0, j, n, 1), {r.data(), n, 1, std::max(n, 1)}, w.data());
        add_residual(system.parallel_for(), r, row_entries, w);
        const double error = weighted_norm<T>(system.parallel_for(), w, inverse, adjoint_inverse);
        bounds.push_back(trusted_quotient(error, norm_of(x.column(j), n)));
    }
    return bounds;
}

#define FROND_INSTANTIATE(T)                                                                         \
    template std::vector<double> forward_error_bounds<T>(const LinearSystem<T>&, DenseView<const T>, \
                                                         DenseView<const T>, const ApplyBlock<T>&,   \
                                                         const ApplyBlock<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
