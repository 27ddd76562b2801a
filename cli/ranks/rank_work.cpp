// SPDX-License-Identifier: BSD-3-Clause
#include "rank_work.hpp"

#include "terminal/units.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

constexpr std::size_t most_ranks_listed = 16;

std::string bytes_text(count_t bytes) { return text_of_bytes(static_cast<double>(bytes)); }

}  // namespace

void add_work_of_ranks(Table& table, const std::vector<RankReport>& ranks, bool distributed) {
    if (ranks.empty()) return;
    table.section("ranks", counted(static_cast<count_t>(ranks.size()), "process", "processes"),
                  distributed ? "all analyse, factor and solve; none has the whole matrix"
                              : "rank 0 analyses; all factor and solve, where that pays");
    for (std::size_t r = 0; r < ranks.size() && r < most_ranks_listed; ++r)
        table.row(fmt::format("rank {}", ranks[r].rank), text_of_flops(ranks[r].flops),
                  fmt::format("{} factors, {} peak; out {} in {}, in {} in {}, {} idle",
                              bytes_text(ranks[r].factor_bytes), bytes_text(ranks[r].peak_bytes),
                              bytes_text(ranks[r].bytes_sent), counted(ranks[r].messages_sent, "message"),
                              bytes_text(ranks[r].bytes_received), counted(ranks[r].messages_received, "message"),
                              text_of_seconds(ranks[r].idle_seconds)));
    if (ranks.size() > most_ranks_listed) table.row("others", "see --json");
}

Json ranks_json(const std::vector<RankReport>& ranks) {
    Json all = Json::array();
    for (const RankReport& r : ranks)
        all.push_back({{"rank", r.rank},
                       {"analysis_bytes", r.analysis_bytes},
                       {"factor_bytes", r.factor_bytes},
                       {"peak_bytes", r.peak_bytes},
                       {"peak_bytes_predicted", r.peak_bytes_predicted},
                       {"flops", number_json(r.flops)},
                       {"seconds", number_json(r.seconds)},
                       {"bytes_sent", r.bytes_sent},
                       {"bytes_received", r.bytes_received},
                       {"messages_sent", r.messages_sent},
                       {"messages_received", r.messages_received},
                       {"factor_bytes_sent", r.factor_bytes_sent},
                       {"factor_bytes_received", r.factor_bytes_received},
                       {"factor_messages_sent", r.factor_messages_sent},
                       {"factor_messages_received", r.factor_messages_received},
                       {"factor_bytes_from_devices", r.factor_bytes_from_devices},
                       {"idle_seconds", number_json(r.idle_seconds)}});
    return all;
}

}  // namespace frond::cli
