// SPDX-License-Identifier: BSD-3-Clause
#include "flags.hpp"

#include "command_flags.hpp"
#include "flag_parts.hpp"
#include "frond/matrix/generate.hpp"
#include "help_format.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

std::string list_of_kinds() {
    std::string list = "KIND, and what SIZE = N means:";
    for (const GeneratorInfo& kind : generators())
        list += fmt::format("\n  {:<14}{} (N in {} .. {})", kind.name, kind.description, kind.smallest, kind.largest);
    return list + "\nExit codes: 0 written, 2 bad input, 3 not enough memory or disk.";
}

void add_generate(CLI::App& app, CommandLine& line) {
    CLI::App* generate = app.add_subcommand("generate", "Write the matrix of a model problem as a Matrix Market file");
    add_text(*generate, "kind", line.kind, "", "Which problem, see below")->required();
    add_text(*generate, "size", line.size, "", "N, the nodes along an edge of its grid")->required();
    add_text(*generate, "-o,--out", line.output_file, "FILE", "Where to; .gz: compressed; - is standard output [-]");
    generate->footer(list_of_kinds());
    generate->final_callback([&line] { line.command = Command::generate; });
}

void add_manual(CLI::App& app, CommandLine& line) {
    CLI::App* manual = app.add_subcommand("manual", "Print docs/options.md or docs/errors.md");
    manual->group("");  // for the documentation, not for users
    manual->add_option("page", line.manual)->required()->check(CLI::IsMember({"options", "errors"}));
    manual->final_callback([&line] { line.command = Command::manual; });
}

}  // namespace

void add_commands(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    app.formatter(std::make_shared<HelpFormat>());
    app.footer("frond COMMAND --help lists the arguments and flags of a command.");
    add_solve(app, line, texts);
    add_solve_dense(app, line, texts);
    add_analyze(app, line, texts);
    add_trace(app, line, texts);
    add_bench(app, line, texts);
    add_simulate(app, line, texts);
    add_study(app, line, texts);
    add_calibrate(app, line);
    add_tune(app, line, texts);
    add_info(app, line, texts);
    add_generate(app, line);
    add_manual(app, line);
}

}  // namespace frond::cli
