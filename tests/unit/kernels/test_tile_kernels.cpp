// SPDX-License-Identifier: BSD-3-Clause
// The checks that kernels on devices have to pass, too (tests/integration/device/tasks/test_tile_kernels.cpp).
#include "frond/cpu/kernels.hpp"
#include "tile_kernel_checks.hpp"

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
struct CpuKernels {
    void factor_diagonal(Factorization kind, GuardedMatrix<T>& tile, const PivotRule& rule, PivotParts<T>& parts,
                         PivotReport& report) {
        if (kind == Factorization::llt) return cpu::factor_llt<T>(tile.view(), report);
        const bool lu = kind == Factorization::lu;
        GuardedWorkspace<T> work(lu ? cpu::factor_lu_workspace(tile.cols()) : cpu::factor_ldlt_workspace(tile.cols()));
        if (lu)
            cpu::factor_lu<T>(tile.view(), rule, parts.perm.data(), work.data(), report, parts.replaced.data());
        else
            cpu::factor_ldlt<T>(tile.view(), kind == Factorization::ldlh, rule, parts.pivots.data(), parts.perm.data(),
                                work.data(), report, parts.replaced.data());
        CHECK(work.intact());
        if (!lu) CHECK(tile.strict_upper_is_poison());
    }

    void solve_panel(Factorization kind, bool upper, const GuardedMatrix<T>& f, const PivotParts<T>& parts,
                     GuardedMatrix<T>& x, GuardedMatrix<T>& x_d) {
        if (kind == Factorization::llt) return cpu::solve_panel_llt<T>(f.view(), x.view());
        if (kind != Factorization::lu)
            return cpu::solve_panel_ldlt<T>(f.view(), kind == Factorization::ldlh, parts.pivots.data(),
                                            parts.perm.data(), x.view(), x_d.view());
        if (!upper) return cpu::solve_panel_lu_lower<T>(f.view(), x.view());
        GuardedWorkspace<T> work(cpu::solve_panel_lu_upper_workspace(f.cols(), x.cols()));
        cpu::solve_panel_lu_upper<T>(f.view(), parts.perm.data(), x.view(), work.data());
        CHECK(work.intact());
    }

    void update_general(const GuardedMatrix<T>& a, const GuardedMatrix<T>& b, GuardedMatrix<T>& c) {
        cpu::update_general<T>(a.view(), b.view(), c.view());
    }
    void update_transposed(const GuardedMatrix<T>& a, const GuardedMatrix<T>& b, bool adjoint, GuardedMatrix<T>& c) {
        cpu::update_transposed<T>(a.view(), b.view(), adjoint, c.view());
    }
    void update_lower(const GuardedMatrix<T>& a, const GuardedMatrix<T>& b, bool adjoint, GuardedMatrix<T>& c) {
        cpu::update_lower<T>(a.view(), b.view(), adjoint, c.view());
    }

    void extend_add(bool lower, const GuardedMatrix<T>& child, const std::vector<index_t>& rows,
                    GuardedMatrix<T>& front) {
        const index_t order = front.cols(), npiv = order / 3, ncb = order - npiv;
        const DenseView<T> panel = front.view().block(0, 0, order, npiv),
                           upper = front.view().block(0, npiv, npiv, ncb);
        const DenseView<T> contribution = front.view().block(npiv, npiv, ncb, ncb);
        if (lower)
            cpu::extend_add_lower<T>(child.view(), rows.data(), panel, contribution);
        else
            cpu::extend_add_full<T>(child.view(), rows.data(), panel, upper, contribution);
    }
};

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("diagonal tiles of every kind", T, diagonal_tiles) {
    CpuKernels<T> kernels;
    check_diagonals<T>(kernels);
}

TEST_CASE_TEMPLATE_APPLY(diagonal_tiles, Scalars);

TEST_CASE_TEMPLATE_DEFINE("panels beside a factored tile", T, panels_beside_tile) {
    CpuKernels<T> kernels;
    check_panels<T>(kernels);
}

TEST_CASE_TEMPLATE_APPLY(panels_beside_tile, Scalars);

TEST_CASE_TEMPLATE_DEFINE("updates of a tile", T, tile_updates) {
    CpuKernels<T> kernels;
    check_updates<T>(kernels);
}

TEST_CASE_TEMPLATE_APPLY(tile_updates, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a child's block added to a front", T, child_added) {
    CpuKernels<T> kernels;
    check_extend_add<T>(kernels);
}

TEST_CASE_TEMPLATE_APPLY(child_added, Scalars);
