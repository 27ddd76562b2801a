// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "frond/session.hpp"
#include "frond/tuning.hpp"

namespace frond::detail {

/// What a session takes of the files of `frond tune`.
struct SessionTuning {
    std::optional<Tuning> taken;
    std::string file;  // of `taken`
    std::string advice;  // why the file that is there was not taken, and the cure; empty: it was, or there is none
};

/// The one that options.tuning asks for: "automatic": the user's file for this machine with so many cards, if there is
/// one, "off": none, else that file. On several ranks none, unless a file is named: those of `frond tune` are of one
/// process that has the machine.
/// @throws InvalidArgument  a file that options.tuning names cannot be taken; one of the user's folder becomes advice
SessionTuning find_tuning(const SessionOptions& options, index_t cards);

/// options with what nobody asked for: neither they nor the variables of StarPU, which come before the tuning.
SessionOptions with_tuning(SessionOptions options, const Tuning& tuning);

}  // namespace frond::detail
