// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/option_values.hpp"

#include <array>
#include <charconv>
#include <functional>
#include <string>
#include <string_view>

#include "ranks/message.hpp"

namespace frond::detail {
namespace {

std::string text_of_numbers(std::initializer_list<double> numbers) {
    std::string text;
    for (const double number : numbers) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        if (!text.empty()) text += ' ';
        text.append(digits.data(), end);
    }
    return text;
}

std::string text_of_order(std::span<const index_t> order) {
    if (order.empty()) return "none";
    const std::string_view bytes(reinterpret_cast<const char*>(order.data()), order.size_bytes());
    return std::to_string(order.size()) + " columns, hash " + std::to_string(std::hash<std::string_view>()(bytes));
}

}  // namespace

NamedValues option_values(const Options& options, OptionPhase phase) {
    NamedValues values;
    for (const OptionInfo& info : option_table())
        if (info.phase == phase && info.name.find("memory_budget_bytes") == std::string::npos)
            values.emplace_back(info.name, get_option(options, info.name));
    return values;
}

NamedValues analysis_values(const AnalysisOptions& options) {
    Options all;
    all.analysis = options;
    NamedValues values = option_values(all, OptionPhase::analysis);
    const MachineDescription& m = options.machine;
    const TreeCut& cut = options.tree_cut;
    values.emplace_back("machine", text_of_numbers({static_cast<double>(m.cores), m.core_flops_per_second,
                                                    static_cast<double>(m.devices), m.device_flops_per_second,
                                                    m.level_seconds, m.step_seconds}));
    values.emplace_back("tree_cut",
                        text_of_numbers({cut.tiles_along_front, static_cast<double>(cut.smallest_tile),
                                         static_cast<double>(cut.largest_tile), static_cast<double>(cut.card_tile),
                                         cut.subtrees_per_worker, cut.operations_of_submission}));
    return values;
}

void expect_order_of_rank_0(Communicator& ranks, std::span<const index_t> order) {
    const std::string mine = text_of_order(order), of_rank_0 = text_of_rank_0(ranks, mine);
    expect_agreement(ranks, {{"user_order", order.empty() ? of_rank_0 : mine}});
}

AnalysisOptions analysis_options_of_rank_0(Communicator& ranks, const AnalysisOptions& options) {
    std::vector<std::byte> bytes;
    broadcast_made(ranks, bytes, 0, [&] {
        Options all;
        all.analysis = options;
        Packer pack;
        for (const auto& [name, value] : option_values(all, OptionPhase::analysis)) pack(name, value);
        bytes = pack.bytes();
    });
    Options all;
    collectively(ranks, [&] {
        Unpacker unpack(bytes);
        while (!unpack.is_at_end()) {
            std::string name, value;
            unpack(name, value);
            set_option(all, name, value);
        }
    });
    return std::move(all.analysis);
}

}  // namespace frond::detail
