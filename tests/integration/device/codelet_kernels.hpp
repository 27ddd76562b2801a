// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/inverse_block.hpp"
#include "frond/codelets/workspace_pool.hpp"
#include "frond/gpu/devices.hpp"
#include "task_buffers.hpp"
#include "tile_kernel_checks.hpp"
#include "tasks/assembly/assemble_tile.hpp"
#include "tasks/panel/factor_diagonal.hpp"
#include "tasks/panel/solve_panel.hpp"
#include "tasks/panel/update_tile.hpp"

#include <cstring>
#include <limits>

namespace frond::test {

/// The kernels of tile tasks behind their codelets, on workers of `where`, for tile_kernel_checks.hpp.
/// with_inverses: panels are solved by products with inverted blocks, which devices make of diagonal tiles.
/// searches_tile: devices search all rows of a diagonal tile for pivots of L U.
template <class T>
class CodeletKernels {
public:
    CodeletKernels(std::uint32_t where, bool with_inverses, bool searches_tile = false)
        : where_(where), with_inverses_(with_inverses), searches_tile_(searches_tile) {}

    /// On a device that the host plays three steps of 32 pivots, the last of them short, are enough.
    index_t most_columns() const {
        const bool is_played = where_ == device_workers && gpu::vendor_of_build() == DeviceVendor::emulated;
        return is_played ? 65 : std::numeric_limits<index_t>::max();
    }

    void factor_diagonal(Factorization kind, GuardedMatrix<T>& tile, const PivotRule& rule, PivotParts<T>& parts,
                         PivotReport& report) {
        const index_t n = tile.cols();
        FactorDiagonalArguments a;
        a.kind = kind;
        a.rule = rule;
        a.searches_tile = searches_tile_;
        a.workspaces = &pool_;
        std::vector<unsigned char> record = pack(parts);
        PivotOutcome outcome;
        outcome.kept = -1;
        inverses_ = GuardedMatrix<T>(std::min(inverse_block, n), kind == Factorization::lu ? 2 * n : n);
        TaskBuffers buffers;
        buffers.add(tile.view(), STARPU_RW);
        if (kind != Factorization::llt)
            buffers.add_record<T>(record, n, outcome, STARPU_W);
        else
            buffers.add_object(outcome, STARPU_W);
        if (with_inverses_) {
            a.with_inverses = true;
            buffers.add(inverses_.view(), STARPU_W);
        }
        buffers.run(where_, factor_diagonal_codelet<T>(), a);
        if (kind != Factorization::llt) unpack(record, parts);
        CHECK(outcome.kept == n);
        CHECK(outcome.limit.columns.load() == n);
        inverses_usable_ = outcome.inverses_usable;
        report += outcome.counts;
    }

    void solve_panel(Factorization kind, bool upper, const GuardedMatrix<T>& f, const PivotParts<T>& parts,
                     GuardedMatrix<T>& x, GuardedMatrix<T>& x_d) {
        SolvePanelArguments a;
        a.kind = kind;
        a.upper = upper;
        a.workspaces = &pool_;
        std::vector<unsigned char> record = pack(parts);
        PivotOutcome outcome;
        TaskBuffers buffers;
        buffers.add(f.view());
        if (kind != Factorization::llt) buffers.add_record<T>(record, f.cols(), outcome, STARPU_R);
        buffers.add(x.view(), STARPU_RW);
        if (kind == Factorization::ldlt || kind == Factorization::ldlh) buffers.add(x_d.view(), STARPU_W);
        if (with_inverses_) {
            CHECK(inverses_usable_);  // of well-conditioned blocks
            outcome.inverses_usable = true;
            a.with_inverses = true;
            buffers.add(inverses_.view().as_const());
            if (kind == Factorization::llt) buffers.add_object(outcome, STARPU_R);
        }
        buffers.run(where_, solve_panel_codelet<T>(), a);
    }

    void update_general(const GuardedMatrix<T>& a, const GuardedMatrix<T>& b, GuardedMatrix<T>& c) {
        update(UpdateShape::general, false, a, b, c);
    }

    void update_transposed(const GuardedMatrix<T>& a, const GuardedMatrix<T>& b, bool adjoint, GuardedMatrix<T>& c) {
        update(UpdateShape::transposed, adjoint, a, b, c);
    }

    void update_lower(const GuardedMatrix<T>& a, const GuardedMatrix<T>& b, bool adjoint, GuardedMatrix<T>& c) {
        update(UpdateShape::lower, adjoint, a, b, c);
    }

    void extend_add(bool lower, const GuardedMatrix<T>& child, const std::vector<index_t>& rows,
                    GuardedMatrix<T>& front) {
        ChildPiece piece;
        piece.relative_rows = rows.data();
        piece.row_end = piece.column_end = child.cols();
        TileAssembly plan;
        plan.lower = lower;
        plan.pieces = {piece};
        const EntryMap none;
        AssembleArguments a;
        a.assembly = &plan;
        a.map = &none;
        a.last_piece = 1;
        a.clear = false;
        std::vector<T> entries;
        TaskBuffers buffers;
        buffers.add(front.view(), STARPU_RW);
        buffers.add(entries, STARPU_R);
        buffers.add(child.view());
        buffers.run(where_, assemble_tile_codelet<T>(), a);
    }

private:
    static std::vector<unsigned char> pack(const PivotParts<T>& parts) {
        const auto n = static_cast<index_t>(parts.perm.size());
        std::vector<unsigned char> bytes(static_cast<std::size_t>(PivotRecord<T>::bytes(n)));
        const auto record = PivotRecord<T>::at(bytes.data(), n);
        std::copy(parts.perm.begin(), parts.perm.end(), record.perm);
        std::copy(parts.pivots.begin(), parts.pivots.end(), record.pivots);
        std::copy(parts.replaced.begin(), parts.replaced.end(), record.replaced);
        return bytes;
    }

    static void unpack(std::vector<unsigned char>& bytes, PivotParts<T>& parts) {
        const auto record = PivotRecord<T>::at(bytes.data(), static_cast<index_t>(parts.perm.size()));
        std::copy_n(record.perm, parts.perm.size(), parts.perm.begin());
        std::copy_n(record.pivots, parts.pivots.size(), parts.pivots.begin());
        std::copy_n(record.replaced, parts.replaced.size(), parts.replaced.begin());
    }

    void update(UpdateShape shape, bool adjoint, const GuardedMatrix<T>& left, const GuardedMatrix<T>& right,
                GuardedMatrix<T>& target) {
        UpdateArguments a;
        a.shape = shape;
        a.adjoint = adjoint;
        TaskBuffers buffers;
        buffers.add(left.view());
        buffers.add(right.view());
        buffers.add(target.view(), STARPU_RW);
        buffers.run(where_, update_tile_codelet<T>(), a);
    }

    std::uint32_t where_;
    bool with_inverses_, searches_tile_;
    WorkspacePool pool_{count_t{4} << 20};
    GuardedMatrix<T> inverses_{0, 0};
    bool inverses_usable_ = false;
};

}  // namespace frond::test
