// SPDX-License-Identifier: BSD-3-Clause
// What `frond tune` measured on a kind of machine and every later session takes (docs/tuning.md).
#pragma once

#include <string>

#include "frond/analysis/options.hpp"
#include "frond/base/types.hpp"

namespace frond {

/// Machines that share a tuning.
struct MachineKind {
    std::string processor;  // as the system names it: "AMD EPYC 9755"
    index_t cores = 0;  // that the process may use
    std::string card;  // the model of those that the session uses; empty: none
    index_t cards = 0;

    bool operator==(const MachineKind&) const = default;
};

/// What differs from the defaults, and how much that gains.
struct Tuning {
    MachineKind machine;
    std::string date;  // 2026-11-24
    index_t workers = 0;  // of cores, that the session had when it was measured: with others tree_cut is not taken
    std::string scheduler;  // empty: the default
    index_t cpu_workers = 0;  // 0: the default; more than the cores: several on a core
    index_t workers_per_card = 0;  // 0: the default
    bool bind_workers = true;  // false: the system places them
    TreeCut tree_cut;
    /// Time of factorizations over that with the defaults: geometric mean, and the largest of one problem.
    double mean_ratio = 1, largest_ratio = 1;
};

/// This machine, for a session that uses so many cards.
MachineKind machine_kind(index_t cards);

/// $XDG_CONFIG_HOME/frond, else $HOME/.config/frond; empty: neither variable is an absolute path [FreedesktopXdg2021].
std::string tuning_folder();

/// The name of the file in that folder, from the letters and digits of the kind: "amd-epyc-9755-2-cores.json".
std::string tuning_file_name(const MachineKind& machine);

/// What differs from the defaults: "scheduler prio, tiles of 96 to 512"; "the defaults" where nothing does.
std::string differences(const Tuning& tuning);

/// The text of a file, and back.
std::string text_of_tuning(const Tuning& tuning);
/// @throws InvalidArgument  naming file, line, what is wrong there and the cure
Tuning parse_tuning(const std::string& text, const std::string& file);

/// @throws InvalidArgument  as parse_tuning, or the file cannot be read
Tuning read_tuning(const std::string& file);

/// Writes the file, whole or not at all. Not thread-safe. @throws RuntimeError  naming file, reason and cure
void write_tuning(const Tuning& tuning, const std::string& file);

}  // namespace frond
