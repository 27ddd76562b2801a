// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include "machine/environment.hpp"
#include "exit_code.hpp"
#include "flags.hpp"
#include "frond/base/error.hpp"
#include "frond/codelets/time_models.hpp"
#include "output_paths.hpp"
#include "terminal/terminal.hpp"
#include "commands.hpp"

#include <sstream>

namespace frond::cli {
namespace {

// "; did you mean solve?", or what else helps.
std::string suggestion(const std::string& word, const std::vector<std::string>& known, const std::string& otherwise) {
    const std::string nearest = nearest_spelling(word, known);
    return nearest.empty() ? "; " + otherwise : "; did you mean " + nearest + "?";
}

// "solve, solve-dense, ..." as --help lists them.
std::string commands_of(const CLI::App& app) {
    std::string list;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty()) list += (list.empty() ? "" : ", ") + command->get_name();
    return list;
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
    return "there is no command '" + word + "'" + suggestion(word, commands, "frond --help lists them");
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
        std::ostringstream text;
        const int exit_code = app.exit(help, text, text);
        print_text(stdout, text.str());
        return exit_code;
    } catch (const CLI::ArgumentMismatch& error) {  // "--ordering: 1 required TEXT missing"
        const std::string text = error.what();
        throw InvalidArgument(text.substr(0, text.find(':')) + ": its value is missing");
    } catch (const CLI::RequiredError& error) {  // "matrix is required"
        const std::string text = error.what();
        throw InvalidArgument("the argument " + text.substr(0, text.find(' ')) + " is missing");
    } catch (const CLI::ExcludesError& error) {
        throw InvalidArgument(std::string(error.what()) + "; give one of them");
    } catch (const CLI::ParseError& error) {
        throw InvalidArgument(error.what());
    }
}

// FILE of --json FILE or --json=FILE. The parser gives values to flags only when it has understood all of them, but
// what it does not understand belongs in the file, too.
std::string json_file_in(const std::vector<std::string>& arguments) {
    const std::string flag = "--json", with_value = "--json=";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].starts_with(with_value)) return arguments[i].substr(with_value.size());
        const bool has_value = i + 1 < arguments.size() && !arguments[i + 1].starts_with("--");
        if (arguments[i] == flag && has_value) return arguments[i + 1];
    }
    return {};
}

// A loaded analysis was made with options of its own: others would be lost without a word.
void expect_no_other_analysis(const CommandLine& line, const OptionTexts& texts) {
    if (line.analysis_file.empty()) return;
    std::string flag = line.user_order_file.empty() ? "" : "--user-order";
    for (const OptionInfo& info : option_table()) {
        const auto text = texts.find(info.name);
        if (info.phase == OptionPhase::analysis && text != texts.end() && !text->second.empty())
            flag = flag_name(info.name);
    }
    if (!flag.empty())
        throw InvalidArgument(flag + " has no effect on the analysis that --analysis " + line.analysis_file +
                              " brings; drop one of them");
}

// "user" needs the order; an order says "user".
void complete(CommandLine& line) {
    expect_own_files(line);
    line.loads_analysis = !line.analysis_file.empty();
    OrderingMethod& ordering = line.options.analysis.ordering;
    const bool given = !line.user_order_file.empty();
    if (ordering == OrderingMethod::user && !given && line.works_on_matrix())
        throw InvalidArgument("ordering = user: the order is missing; give it by --user-order FILE");
    if (given && ordering == OrderingMethod::automatic) ordering = OrderingMethod::user;
    if (given && ordering != OrderingMethod::user)
        throw InvalidArgument("--user-order is for ordering = user, but the ordering is " +
                              std::string(to_string(ordering)) + "; drop one of them");
}

}  // namespace

std::optional<int> parse_command_line(int argc, char** argv, CommandLine& line) {
    line.arguments.assign(argv + 1, argv + argc);
    line.json_file = json_file_in(line.arguments);
    OptionTexts texts;
    CLI::App app(
        "Frond solves sparse linear systems directly, by a multifrontal factorization "
        "whose tasks run on StarPU.",
        "frond");
    app.set_version_flag("--version", version_text());
    add_commands(app, line, texts);
    if (const std::optional<int> told = parse(app, argc, argv)) return told;
    if (app.get_subcommands().empty())
        throw InvalidArgument("which command? " + commands_of(app) + "; frond --help says more");

    const bool of_simulation = line.command == Command::simulate || line.command == Command::study;
    if (of_simulation && !simulates()) leave_out_machine_variables();
    set_options_from_environment(line.options);
    warn_of_unknown_variables();
    for (const auto& [name, text] : texts)
        if (!text.empty()) set_option(line.options, name, text);
    expect_no_other_analysis(line, texts);
    complete(line);
    return std::nullopt;
}

}  // namespace frond::cli
