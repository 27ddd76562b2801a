// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "frond/tuning.hpp"

namespace frond {
namespace {

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

void append_session(const Tuning& tuning, std::string& list) {
    if (!tuning.scheduler.empty()) append(list, "scheduler " + tuning.scheduler);
    if (tuning.cpu_workers > 0) append(list, fmt::format("{} CPU workers", tuning.cpu_workers));
    if (tuning.workers_per_card > 0) append(list, fmt::format("{} workers a card", tuning.workers_per_card));
    if (!tuning.bind_workers) append(list, "workers not bound");
}

void append_tree_cut(const TreeCut& cut, std::string& list) {
    const TreeCut shipped;
    if (cut.smallest_tile != shipped.smallest_tile || cut.largest_tile != shipped.largest_tile)
        append(list, fmt::format("tiles of {} to {}", cut.smallest_tile, cut.largest_tile));
    if (cut.tiles_along_front != shipped.tiles_along_front)
        append(list, fmt::format("{:g} tiles along a front", cut.tiles_along_front));
    if (cut.card_tile != shipped.card_tile) append(list, fmt::format("tiles of {} for cards", cut.card_tile));
    if (cut.subtrees_per_worker != shipped.subtrees_per_worker)
        append(list, fmt::format("{:g} subtrees a worker", cut.subtrees_per_worker));
    if (cut.operations_of_submission != shipped.operations_of_submission)
        append(list, fmt::format("{:.2g} operations while a task is submitted", cut.operations_of_submission));
}

}  // namespace

std::string differences(const Tuning& tuning) {
    std::string list;
    append_session(tuning, list);
    append_tree_cut(tuning.tree_cut, list);
    return list.empty() ? "the defaults" : list;
}

}  // namespace frond
