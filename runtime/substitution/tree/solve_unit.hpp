// SPDX-License-Identifier: BSD-3-Clause
// The vectors of a substitution, unit by unit.
#pragma once

#include <starpu.h>

#include <algorithm>
#include <vector>

#include "factors/tree_factors.hpp"
#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/task.hpp"
#include "substitution/tree/substitution_plan.hpp"

namespace frond::detail {

/// Rows of a vector as a kernel sees them; the handle where tasks use them.
template <class T>
struct Segment {
    explicit Segment(DenseView<T> view) : seen(interface_of(view)) {}

    void register_data() {
        handle = DataHandle::matrix(DenseView<T>{reinterpret_cast<T*>(seen.ptr), static_cast<index_t>(seen.nx),
                                                 static_cast<index_t>(seen.ny), static_cast<index_t>(seen.ld)});
    }

    static starpu_matrix_interface interface_of(DenseView<T> view) {
        starpu_matrix_interface m{};
        m.id = STARPU_MATRIX_INTERFACE_ID;
        m.ptr = m.dev_handle = reinterpret_cast<uintptr_t>(view.data);
        m.nx = static_cast<uint32_t>(view.rows);
        m.ny = static_cast<uint32_t>(view.cols);
        m.ld = static_cast<uint32_t>(view.cols == 1 ? std::max<index_t>(1, view.rows)
                                                    : view.ld);  // StarPU then copies one piece
        m.elemsize = sizeof(T);
        return m;
    }

    starpu_matrix_interface seen;
    DataHandle handle;
};

/// What a kernel reads or writes: a task finds it by the handle, a direct call where `seen` points. Null handle: of no
/// concern to tasks.
struct Operand {
    DataRef handle = nullptr;
    const void* seen = nullptr;
    starpu_data_access_mode mode = STARPU_R;
};

/// A subtree or a front on tiles: its parts of x and its contribution vector.
template <class T>
struct SolveUnit {
    const PlannedUnit* planned = nullptr;
    const TileGrid* grid = nullptr;  // of a front on tiles; null: a subtree
    const TiledFront<T>* tiled = nullptr;  // null where another rank has it
    Place place = Place::any;  // of tasks on its tiles; device: where these lie
    DenseView<T> own;  // its columns of x; of a shared front that another rank leads a copy of them
    DenseView<T> y;  // all contribution rows
    std::vector<Segment<T>> tiles;  // on tiles: a segment of own or y each
    std::vector<Segment<T>> whole;  // in a group, or a subtree: own and, if it has rows, y
    // If own is a copy, these are the columns of x. Second passes of this rank have here what was set back to them,
    // while the tiles get the rows of the same columns that the leading rank has.
    std::vector<Segment<T>> beside;
    ChildLink link;  // to the parent, when there are contribution rows
    SolveUnit* parent = nullptr;
    std::vector<SolveUnit*> children;
    std::vector<ChildLink> children_links;

    /// The same memory in the segments that other units use.
    std::vector<Segment<T>>& outside() { return whole.empty() ? tiles : whole; }
    index_t outside_own() const { return whole.empty() ? grid->own_tiles : 1; }
    /// Local rows at which it is cut.
    std::vector<index_t> outside_cut() const {
        if (whole.empty()) return grid->cut;
        if (y.rows == 0) return {0, own.rows};
        return {0, own.rows, own.rows + y.rows};
    }
    bool has_second_pass() const { return tiled != nullptr && tiled->has_second_pass(); }
};

/// Units as planned, with segments but without handles; y and copies of x in `memory`, which it allocates.
template <class T>
std::vector<SolveUnit<T>> make_solve_units(const TreeFactors<T>& factors, const SubstitutionPlan& plan, DenseView<T> x,
                                           HostBlock& memory);

}  // namespace frond::detail
