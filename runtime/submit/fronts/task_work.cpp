// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/task_work.hpp"

#include <cmath>

#include "frond/base/vector_index.hpp"
#include "engine/kind_of_run.hpp"

namespace frond::detail {
const char* variant_of(Factorization kind, const PivotRule& rule) {
    const bool tested = rule.threshold > 0;
    switch (kind) {
        case Factorization::llt:
            return "llt";
        case Factorization::ldlt:
            return tested ? "ldlt" : "ldlt static";
        case Factorization::ldlh:
            return tested ? "ldlh" : "ldlh static";
        default:
            return tested ? "lu" : "lu static";
    }
}

const char* variant_of(const UpdateArguments& arguments, Factorization kind) {
    if (arguments.shape == UpdateShape::lower) return arguments.same ? "lower same" : "lower";
    if (arguments.shape == UpdateShape::transposed)
        return kind == Factorization::llt ? "transposed" : "transposed ldlt";
    return "general";
}

TaskWork work_of_subtree(const Analysis& analysis, const Subtree& subtree, count_t scalar_bytes) {
    TaskWork work;
    for (index_t f = subtree.first_front; are_tasks_described() && f <= subtree.root_front; ++f) {
        const auto order = static_cast<double>(analysis.tree.fronts[at(f)].nfront);
        work.bytes += order * order * static_cast<double>(scalar_bytes);
        work.items += 1;
        work.rows += order;
    }
    return work;
}

TaskWork work_of_piece(count_t square_bytes, count_t launches, count_t levels) {
    TaskWork work;
    work.bytes = static_cast<double>(square_bytes);
    work.items = static_cast<double>(launches);
    work.rows = static_cast<double>(levels) * std::sqrt(work.bytes);
    return work;
}

TaskWork work_of_assembly(const AssembleArguments& arguments, count_t tile_bytes) {
    TaskWork work;
    if (!are_tasks_described()) return work;
    work.bytes = 1;  // a tile that was written before, and not the buffers
    if (arguments.clear) {
        work.bytes = static_cast<double>(tile_bytes);
        work.items += static_cast<double>(arguments.assembly->entries.size());
    }
    for (index_t p = arguments.first_piece; p < arguments.last_piece; ++p) {
        const ChildPiece& piece = arguments.assembly->pieces[at(p)];
        work.items += static_cast<double>(piece.row_end - piece.row_begin) *
                      static_cast<double>(piece.column_end - piece.column_begin);
    }
    return work;
}

}  // namespace frond::detail
