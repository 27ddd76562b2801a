// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "version_text.hpp"

#include <CLI/CLI.hpp>

#include <map>

namespace frond::cli {
namespace {

constexpr const char* matrix_text =
    "Matrix Market or Rutherford-Boeing file, plain or gzip; or generate:KIND:SIZE";
constexpr const char* closing_text =
    "Exit codes: 0 solved, 1 solved to a worse backward error than asked or numerically singular, "
    "2 bad input, 3 not enough memory or no StarPU.";

using OptionTexts = std::map<std::string, std::string>;

// One flag for each row of the option table, grouped by phase; the text is checked later.
void add_option_flags(CLI::App& app, OptionTexts& texts) {
    for (const OptionInfo& info : option_table()) {
        const std::string text = info.text + " " + info.range + " [" +
                                 (info.default_value.empty() ? "empty" : info.default_value) + "]";
        app.add_option(flag_name(info.name), texts[info.name], text)
            ->type_name("")
            ->group("Options of the " + std::string(to_string(info.phase)));
    }
}

void add_matrix_flags(CLI::App& app, CommandLine& line) {
    app.add_option("matrix", line.matrix, matrix_text)->required()->type_name("");
    app.add_option("--json", line.json_file, "Write a report as JSON; - is standard output")
        ->type_name("FILE");
    app.add_option("--plot", line.plot_folder, "Draw pattern, tree and times as SVG into a folder")
        ->type_name("DIR");
    app.add_option("--precision", line.precision, "Arithmetic: double or single [double]")
        ->type_name("")
        ->transform(CLI::CheckedTransformer(std::map<std::string, Precision>{
            {"double", Precision::double_precision}, {"single", Precision::single}}));
}

void add_solve(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* solve = app.add_subcommand("solve", "Solve A X = B and report the backward error");
    add_matrix_flags(*solve, line);
    CLI::Option* rhs = solve->add_option("--rhs", line.rhs_file,
                                         "Right-hand sides, a Matrix Market file; without it "
                                         "B = A X of random X, the same on every run");
    rhs->type_name("FILE");
    solve->add_option("--random-rhs", line.random_rhs, "How many random right-hand sides [1]")
        ->type_name("N")
        ->check(CLI::Range(1, 1 << 20))
        ->excludes(rhs);
    solve->add_option("--out", line.solution_file, "Write X as a Matrix Market array")
        ->type_name("FILE");
    add_option_flags(*solve, texts);
    solve->final_callback([&line] { line.command = Command::solve; });
}

void add_others(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* analyze = app.add_subcommand("analyze", "Ordering, tree, predicted work and memory");
    add_matrix_flags(*analyze, line);
    add_option_flags(*analyze, texts);
    analyze->final_callback([&line] { line.command = Command::analyze; });

    CLI::App* info = app.add_subcommand("info", "Machine, StarPU, BLAS kernels and GPUs");
    info->add_option("--json", line.json_file, "Write the facts as JSON; - is standard output")
        ->type_name("FILE");
    add_option_flags(*info, texts);
    info->final_callback([&line] { line.command = Command::info; });

    CLI::App* generate = app.add_subcommand("generate", "Write the matrix of a model problem");
    generate->add_option("kind", line.kind, "Which problem")->required()->type_name("");
    generate->add_option("size", line.size, "Points along an edge of its grid")
        ->required()
        ->type_name("");
    generate->add_option("-o,--out", line.output_file, "File, .gz: compressed [standard output]")
        ->type_name("FILE");
    generate->final_callback([&line] { line.command = Command::generate; });

    CLI::App* manual = app.add_subcommand("manual", "Print docs/options.md or docs/errors.md");
    manual->group(""); // for the documentation, not for users
    manual->add_option("page", line.manual)
        ->required()
        ->check(CLI::IsMember({"options", "errors"}));
    manual->final_callback([&line] { line.command = Command::manual; });
}

// "; did you mean solve?", or what else helps.
std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& otherwise) {
    const std::string nearest = nearest_spelling(word, known);
    return nearest.empty() ? "; " + otherwise : "; did you mean " + nearest + "?";
}

// "unknown flag --orderng; did you mean --ordering?"
std::string unknown_word_message(const CLI::App& app, const std::string& word) {
    std::vector<std::string> commands, flags;
    bool commanded = false;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->get_group().empty()) commands.push_back(command->get_name());
        if (!command->parsed()) continue;
        commanded = true;
        for (const CLI::Option* option : command->get_options())
            if (!option->get_lnames().empty()) flags.push_back("--" + option->get_lnames().front());
    }
    if (!word.empty() && word[0] == '-')
        return "unknown flag " + word + suggestion(word, flags, "--help lists the flags");
    if (commanded) return "unexpected argument '" + word + "'";
    return "there is no command '" + word + "'" +
           suggestion(word, commands, "the commands are solve, analyze, info and generate");
}

// The exit code when the command line asked for help or the version, which has then been printed.
std::optional<int> parse(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ExtrasError&) {
        const std::string word = app.remaining(true).front();
        throw InvalidArgument(unknown_word_message(app, word.substr(0, word.find('='))));
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        throw InvalidArgument(error.what());
    }
}

} // namespace

Parsed parse_command_line(int argc, char** argv) {
    CommandLine line;
    OptionTexts texts;
    CLI::App app("Frond solves sparse linear systems directly, by a multifrontal factorization "
                 "whose tasks run on StarPU.",
                 "frond");
    app.set_version_flag("--version", version_text());
    app.footer(closing_text);
    add_solve(app, line, texts);
    add_others(app, line, texts);
    if (const std::optional<int> told = parse(app, argc, argv)) return {std::nullopt, *told};
    if (app.get_subcommands().empty())
        throw InvalidArgument("which command? solve, analyze, info or generate; --help says more");

    set_options_from_environment(line.options);
    for (const auto& [name, text] : texts)
        if (!text.empty()) set_option(line.options, name, text);
    return {std::move(line), 0};
}

} // namespace frond::cli
