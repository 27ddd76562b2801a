// SPDX-License-Identifier: BSD-3-Clause
#include "run_json.hpp"

#include "frond/enum_text.hpp"

#include <algorithm>

namespace frond::cli {
namespace {

constexpr std::size_t most_listed = 1000;

/// Rows or columns as files count them, from 1.
Json listed(const std::vector<index_t>& indices) {
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(indices.size(), most_listed); ++i) list.push_back(indices[i] + 1);
    return list;
}

void add_small_pivots(const FactorReport& f, Json& object) {
    object["small_pivot_count"] = f.pivots.small_columns.size();
    object["null_row_count"] = f.pivots.null_rows.size();
    object["small_pivots"] = listed(f.pivots.small_columns);
    object["null_rows"] = listed(f.pivots.null_rows);
    object["small_pivots_complete"] = std::max(f.pivots.small_columns.size(), f.pivots.null_rows.size()) <= most_listed;
}

}  // namespace

Json factorization_json(const FactorReport& f) {
    Json object = {{"seconds", number_json(f.seconds)},
                   {"scaling_seconds", number_json(f.work.scaling_seconds)},
                   {"scaling_kept", f.work.scaling_kept},
                   {"presolve_seconds", number_json(f.work.presolve_seconds)},
                   {"kind", to_string(f.factorization)},
                   {"pivoting", to_string(f.pivoting)},
                   {"fell_back_to_ldlt", f.fell_back_to_ldlt},
                   {"escalated", f.escalated},
                   {"status", to_string(f.status)},
                   {"null_pivot", number_json(f.pivots.null_below)},
                   {"repeated_for_rank", f.work.repeated_for_rank},
                   {"smallest_pivot", number_json(f.pivots.smallest)},
                   {"largest_pivot", number_json(f.pivots.largest)},
                   {"flops", number_json(f.work.flops)},
                   {"gflops_per_second", number_json(f.gflops_per_second())},
                   {"on_device", f.place.on_device},
                   {"devices_used", f.place.devices_used},
                   {"place_reason", f.place.reason},
                   {"bytes_to_devices", f.place.bytes_to_devices},
                   {"bytes_from_devices", f.place.bytes_from_devices},
                   {"tasks", f.work.tasks},
                   {"subtree_tasks", f.work.subtree_tasks},
                   {"pieces_again", f.work.pieces_again},
                   {"factor_entries", f.memory.factor_entries},
                   {"factor_bytes", f.memory.factor_bytes},
                   {"peak_bytes", f.memory.peak_bytes},
                   {"peak_bytes_predicted", f.memory.peak_bytes_predicted},
                   {"perturbed", f.pivots.perturbed},
                   {"delayed", f.pivots.delayed},
                   {"second_pass", f.pivots.second_pass},
                   {"two_by_two", f.pivots.two_by_two},
                   {"largest_l", f.pivots.largest_l > 0 ? number_json(f.pivots.largest_l) : Json(nullptr)}};
    add_small_pivots(f, object);
    object["negative"] = f.pivots.inertia ? Json(f.pivots.inertia->negative) : Json(nullptr);
    object["zero"] = f.pivots.inertia ? Json(f.pivots.inertia->zero) : Json(nullptr);
    object["positive"] = f.pivots.inertia ? Json(f.pivots.inertia->positive) : Json(nullptr);
    object["failed_column"] = f.pivots.failed_column >= 0 ? Json(f.pivots.failed_column + 1) : Json(nullptr);
    return object;
}

}  // namespace frond::cli
