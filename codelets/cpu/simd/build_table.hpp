// SPDX-License-Identifier: BSD-3-Clause
// The kernel table of one instruction set; included by one source for each.
#pragma once

#include "products/extend_add_kernels.hpp"
#include "kernel_table.hpp"
#include "pivoting/ldlt_kernel.hpp"
#include "pivoting/panel_kernels.hpp"
#include "pivoting/llt_kernel.hpp"
#include "pivoting/lu_kernel.hpp"
#include "products/substitution_kernels.hpp"

namespace frond::cpu::FROND_ISA {

template <class T>
constexpr simd::KernelTable<T> build_table(const char* name) {
    return {name,
            FROND_VECTOR_BYTES > 16 ? std::numeric_limits<count_t>::max() : count_t(48 * 48 * 48),
            &update_whole<T, Right::plain>,
            &update_whole<T, Right::transposed>,
            &update_triangle<T>,
            &scaled_triangle<T>,
            &right_solve_lower<T, false>,
            &right_solve_lower<T, true>,
            &right_solve_upper<T>,
            &left_solve_lower<T, false>,
            &left_solve_lower<T, true>,
            &llt_panel<T>,
            &lu_panel<T>,
            &ldlt_columns<T>,
            &solve_ldlt_rows<T, false>,
            &solve_ldlt_rows<T, true>,
            &divide_by_pivots<T>,
            &first_column_above<T>,
            &reduce_column<T>,
            &extend_add_triangle<T>,
            &extend_add_square<T>,
            &subtract_product<T>,
            &subtract_transposed_product<T>,
            &forward_lower<T>,
            &backward_lower<T>,
            &backward_upper<T>,
            &forward_upper<T>};
}

#define FROND_INSTANTIATE(T)                                                            \
    template <>                                                                         \
    const simd::KernelTable<T>& table<T>() {                                            \
        static constexpr simd::KernelTable<T> kernels = build_table<T>(FROND_ISA_NAME); \
        return kernels;                                                                 \
    }

}  // namespace frond::cpu::FROND_ISA
