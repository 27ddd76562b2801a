// SPDX-License-Identifier: BSD-3-Clause
// All options as text. One table drives set_option(), the environment, the flags of the program and
// docs/options.md.
#pragma once

#include "frond/enum_text.hpp"
#include "frond/session.hpp"
#include "frond/solver.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace frond {

/// The options of every phase together.
struct Options {
    SessionOptions session;
    AnalysisOptions analysis;
    FactorOptions factor;
    SolveOptions solve;
};

/// Which of the structures of Options holds an option.
enum class OptionPhase : std::uint8_t { session, analysis, factor, solve };
const char* to_string(OptionPhase phase) noexcept;

/// One value that an option may take by name.
struct OptionChoice {
    std::string name;
    std::string text;
};

struct OptionInfo {
    std::string name;  // of the field, e.g. "tile_size"; environment FROND_TILE_SIZE, flag --tile-size
    std::string text;  // what it does
    std::string range;  // what it takes, e.g. "integer >= 0"
    std::string default_value;
    OptionPhase phase = OptionPhase::analysis;
    std::vector<OptionChoice> choices;  // of an enumeration; else empty
    std::string type;  // of the field in C++, without frond::
};

/// All options that have a text form, in the order of the structures. Fields that only code can
/// give (user_order, communicator, progress, cancel) are not in it.
std::span<const OptionInfo> option_table();

/// options.PHASE.NAME = value. Hyphens and capitals in the name are accepted: "Tile-Size".
/// @throws InvalidArgument  unknown name or value, with what is allowed and the nearest spelling
void set_option(Options& options, std::string_view name, std::string_view value);

/// The value as text that set_option takes back.
/// @throws InvalidArgument  unknown name
std::string get_option(const Options& options, std::string_view name);

/// "ordering=metis tile_size=256": several options, separated by blanks or commas.
void set_options(Options& options, std::string_view text);

/// Takes every FROND_<NAME> of the environment that is an option.
/// @throws InvalidArgument  naming the variable
void set_options_from_environment(Options& options);

/// FROND_TILE_SIZE and --tile-size of "tile_size".
std::string environment_name(std::string_view option);
std::string flag_name(std::string_view option);

/// The candidate with the fewest edits (insert, delete, replace, swap neighbours) from `word`;
/// empty when even that needs more than a third of its letters.
std::string nearest_spelling(std::string_view word, std::span<const std::string> candidates);

}  // namespace frond
