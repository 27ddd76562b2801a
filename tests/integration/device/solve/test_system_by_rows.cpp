// SPDX-License-Identifier: BSD-3-Clause
// What refinement on the device reads of a matrix, against the dense op(A). Needs no device.
#include "factors/state_of.hpp"
#include "dense_oracle.hpp"
#include "grid_systems.hpp"
#include "session/parallel_for.hpp"
#include "substitution/system_by_rows.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// As the device takes the entry from the values of the matrix.
template <class T>
T value_of(const gpu::SystemByRows<T>& rows, std::size_t entry) {
    const count_t source = rows.pattern->source[entry];
    const bool mirrored = source < 0;
    const T v = (*rows.value)[static_cast<std::size_t>(mirrored ? ~source : source)];
    return rows.conjugate_all != (mirrored && rows.conjugate_mirrored) ? conjugate(v) : v;
}

template <class T>
test::DenseMatrix dense_of(const gpu::SystemByRows<T>& rows) {
    const auto n = static_cast<index_t>(rows.row_order->size());
    test::DenseMatrix d(n, n);
    for (index_t k = 0; k < n; ++k) {
        const auto row = static_cast<std::size_t>(k);
        for (count_t e = rows.pattern->row_begin[row]; e < rows.pattern->row_begin[row + 1]; ++e) {
            const auto column = static_cast<std::size_t>(rows.pattern->column[static_cast<std::size_t>(e)]);
            d((*rows.row_order)[row], (*rows.column_order)[column]) +=
                widen(value_of(rows, static_cast<std::size_t>(e)));
        }
    }
    return d;
}

/// Element k of what is by position, original number order[k].
template <class R>
void check_order(const std::vector<R>& by_position, const std::vector<R>& by_number,
                 const std::vector<index_t>& order) {
    REQUIRE(by_position.size() == by_number.size());
    for (std::size_t k = 0; k < by_position.size(); ++k)
        REQUIRE(by_position[k] == by_number[static_cast<std::size_t>(order[k])]);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("op(A) by rows", T, by_rows) {
    for (const Kind& kind : kinds<T>()) {
        CAPTURE(static_cast<int>(kind.factorization));
        const SparseMatrix<T> a = grid<T>(4, kind);
        const Factors<T> factors = factored(a, kind.factorization, {"", 40, 60});
        const detail::FactorsState<T>& state = *detail::state_of(factors);
        for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
            CAPTURE(static_cast<int>(op));
            const bool plain = op == Operation::none;
            const detail::JobGuard guard(*state.session);
            const auto rows =
                detail::system_by_rows(state, op,
                                       detail::system_pattern(a.pattern, a.symmetry, *state.analysis, !plain,
                                                              detail::parallel_for_on(*state.session, "system")),
                                       detail::parallel_for_on(*state.session, "system"));
            CHECK(largest_difference(dense_of(rows), apply_operation(dense(a), op)) == 0);
            CHECK(*rows.row_order == (plain ? state.analysis->row_order : state.analysis->column_order));
            check_order(rows.row_scale, plain ? state.system.scaling->row : state.system.scaling->column,
                        *rows.row_order);
            check_order(rows.column_scale, plain ? state.system.scaling->column : state.system.scaling->row,
                        *rows.column_order);
            check_order(rows.inverse_solution_scale, state.system.linear_system(op).inverse_solution_scale(),
                        *rows.column_order);
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(by_rows, Scalars);
