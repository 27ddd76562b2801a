// SPDX-License-Identifier: BSD-3-Clause
#include "study_lists.hpp"

#include "frond/base/error.hpp"
#include "simulate/cards_in_use.hpp"

#include <algorithm>

namespace frond::cli {

std::vector<std::string> list_of(const std::string& text, const std::string& flag) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        if (words.back().empty()) throw InvalidArgument(flag + " " + text + ": a name between commas is missing");
        begin = end + 1;
    }
    expect_each_once(words, flag);
    return words;
}

void expect_each_once(std::vector<std::string> words, const std::string& flag) {
    std::sort(words.begin(), words.end());
    const auto twice = std::adjacent_find(words.begin(), words.end());
    if (twice != words.end()) throw InvalidArgument(flag + ": " + *twice + " is there twice; give it once");
}

std::vector<std::string> tile_sizes_of(const std::string& list) {
    const std::string flag = "--tile-sizes";
    std::vector<std::string> sizes = list_of(list, flag);
    for (std::string& text : sizes) {
        if (text.find_first_not_of("0123456789") != std::string::npos || text.size() > 6)
            throw InvalidArgument(flag + ": '" + text + "' is not a whole number; 0 is automatic");
        text = std::to_string(std::stol(text));
    }
    expect_each_once(sizes, flag);
    return sizes;
}

StudyMachines study_machines(const CommandLine& line) {
    const bool with_cards = line.options.session.gpus != 0, replays = !line.study.replay_file.empty();
    StudyMachines machines;
    for (const std::string& name : list_of(line.study.machines, "--machines")) {
        SimulatedMachine& machine = machines[name] = read_machine(name, with_cards);
        if (replays && !with_cards) machine.cards.clear();
    }
    return machines;
}

std::string schedulers_of(const CommandLine& line, const StudyMachines& machines) {
    if (line.study.schedulers != "automatic") return line.study.schedulers;
    const bool cards = std::any_of(machines.begin(), machines.end(),
                                   [&line](const auto& entry) { return uses_cards(line, entry.second); });
    return cards ? "prio,dmda,dmdas" : "lws,prio,dmdas";
}

}  // namespace frond::cli
