// SPDX-License-Identifier: BSD-3-Clause
#include "flags.hpp"

#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"
#include "help_format.hpp"

#include <charconv>
#include <fmt/format.h>

namespace frond::cli {

const char* const matrix_text =
    "Matrix Market or Rutherford-Boeing file, plain, gzip, xz or zstd; - is standard input; or "
    "generate:KIND:SIZE (frond generate --help lists the kinds). Under mpirun rank 0 reads it; %r in its name stands "
    "for "
    "the number of the rank, and the matrix is then the sum of all ranks' files";
const char* const exit_codes =
    "Exit codes: 0 solved, 1 solved to a worse backward error than asked, 2 bad input, 3 not enough\n"
    "memory or disk, or no StarPU, 4 singular (null pivots), 5 ill-conditioned (by --condition),\n"
    "6 not positive definite (llt), 7 overflowed.";

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& text, const std::string& value,
                      const std::string& help) {
    return app.add_option(name, text, help)->type_name(value);
}

CLI::Option* add_count(CLI::App& app, const std::string& name, index_t& count, const std::string& help) {
    const auto set = [name, &count](const std::string& text) {
        constexpr index_t largest = 1 << 20;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (failure != std::errc() || end != text.data() + text.size() || count < 1 || count > largest)
            throw InvalidArgument(fmt::format("{}: '{}' is not a whole number in 1 .. {}", name, text, largest));
    };
    return app.add_option_function<std::string>(name, set, help)->type_name("N");
}

void add_option_flag(CLI::App& app, OptionTexts& texts, const OptionInfo& info) {
    const std::string phase = info.phase == OptionPhase::factor ? "factorization" : to_string(info.phase);
    add_text(app, flag_name(info.name), texts[info.name], value_name(info), help_text(info))
        ->group("Options of the " + phase);
}

void add_no_tuning(CLI::App& app, OptionTexts& texts) {
    const auto set = [&texts] { texts["tuning"] = "off"; };
    app.add_flag_callback("--no-tuning", set, "As --tuning off: the defaults")->group("Options of the session");
}

void add_option_flags(CLI::App& app, OptionTexts& texts, OptionPhase last) {
    for (const OptionInfo& info : option_table()) {
        if (info.phase > last) continue;
        add_option_flag(app, texts, info);
    }
    add_no_tuning(app, texts);
}

void add_precision(CLI::App& app, Precision& precision) {
    const auto set = [&precision](const std::string& text) {
        if (text != "double" && text != "single")
            throw InvalidArgument("--precision: '" + text + "' is neither double nor single");
        precision = text == "single" ? Precision::single : Precision::double_precision;
    };
    app.add_option_function<std::string>("--precision", set, "Arithmetic: double or single [double]")
        ->type_name("NAME");
}

void add_mpi(CLI::App& app, std::string& mpi) {
    const auto set = [&mpi](const std::string& text) {
        if (text != "auto" && text != "on" && text != "off")
            throw InvalidArgument("--mpi: '" + text + "' is none of auto, on and off");
        mpi = text;
    };
    app.add_option_function<std::string>(
           "--mpi", set,
           "Whether this process is one of several that work together: auto (where mpirun or "
           "srun started it), on, off [auto]")
        ->type_name("NAME");
}

void add_run_flags(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    add_text(app, "--json", line.json_file, "FILE",
             "Write a report as JSON; - is standard output, the table then goes to standard error");
    add_precision(app, line.precision);
    add_mpi(app, line.mpi);
    add_text(app, "--user-order", line.user_order_file, "FILE",
             "The order of elimination, for --ordering user: the columns 1 .. n, first eliminated "
             "first, as plain text or as a Matrix Market array");
    add_option_flags(app, texts);
    app.footer(exit_codes);
}

void add_rhs_flags(CLI::App& app, CommandLine& line) {
    CLI::Option* rhs = add_text(app, "--rhs", line.rhs_file, "FILE",
                                "Right-hand sides, a Matrix Market file, real or complex; - is standard "
                                "input; without it B = A X of random X, the same on every run");
    add_count(app, "--random-rhs", line.random_rhs, "How many random right-hand sides [1]")->excludes(rhs);
}

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
