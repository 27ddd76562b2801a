// SPDX-License-Identifier: BSD-3-Clause
// For every null column c the vector with 1 at c and 0 at the other null columns (null_vectors.hpp).
#include "frond/null_space.hpp"

#include <algorithm>
#include <new>

#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "solve/block_views.hpp"
#include "substitution/factor_solve.hpp"
#include "system/largest_magnitude.hpp"
#include "solve/null_vectors.hpp"
#include "solve/orthonormalise.hpp"

namespace frond {
namespace {

constexpr index_t block_columns = 64;

template <class T>
void check_factors(const FactorReport& report) {
    expect_solvable(report.status);
    const bool finds_null_pivots = report.pivoting == Pivoting::threshold || report.factorization == Factorization::llt;
    FROND_EXPECTS(finds_null_pivots, std::string("null pivots are found by threshold pivoting, these "
                                                 "factors were made with pivoting = ") +
                                         to_string(report.pivoting) + "; factor with threshold");
}

template <class T>
double largest_residual(const LinearSystem<T>& system, DenseView<const T> z) {
    std::vector<T> az(at(z.rows));
    Largest largest;
    for (index_t j = 0; j < z.cols; ++j) {
        system.multiply(z.column(j), az.data());
        Largest image, size;
        for (index_t i = 0; i < z.rows; ++i) image.see(magnitude(az[at(i)]));
        for (index_t i = 0; i < z.rows; ++i) size.see(magnitude(z(i, j)));
        largest.see(trusted_quotient(image.value(), system.norm() * size.value()));
    }
    return largest.value();
}

}  // namespace

template <class T>
NullSpace<T> null_space(const Factors<T>& factors, Operation operation, const std::atomic<bool>* cancel) try {
    const FactorReport& report = factors.report();
    check_factors<T>(report);
    const detail::FactorsState<T>& state = *detail::state_of(factors);
    // op(A) = A^T or A^H: its columns are the rows of A.
    const std::vector<index_t>& null =
        operation == Operation::none ? report.pivots.small_columns : report.pivots.null_rows;
    NullSpace<T> space;
    space.rows = state.analysis->order;
    if (report.status != FactorStatus::singular || null.empty()) return space;
    state.session->expect_running();
    space.dimension = static_cast<index_t>(null.size());
    space.basis.assign(at(space.rows) * null.size(), T(0));
    const DenseView<T> z{space.basis.data(), space.rows, space.dimension, space.rows};
    const detail::JobGuard guard(*state.session);
    SolveOptions options;
    options.operation = operation;
    options.cancel = cancel;
    const LinearSystem<T>& system = state.system.linear_system(operation);
    detail::FactorSolve<T> inverse(state, options);
    for (index_t j = 0; j < z.cols; ++j) z(null[at(j)], j) = T(1);
    for (index_t first = 0; first < z.cols; first += block_columns)
        detail::complete_null_vectors(system, inverse,
                                      z.block(0, first, z.rows, std::min(block_columns, z.cols - first)));
    detail::orthonormalise(z, cancel);
    space.residual = largest_residual<T>(system, z);
    return space;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T) \
    template NullSpace<T> null_space<T>(const Factors<T>&, Operation, const std::atomic<bool>*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
