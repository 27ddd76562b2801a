// SPDX-License-Identifier: BSD-3-Clause
#include "balance_ranks.hpp"

#include <algorithm>
#include <tuple>

#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

/// A smaller part of what the rank with most has is not worth an exchange,
constexpr double least_gain_of_work = 0.002, least_gain_of_bytes = 0.005;
/// and bytes need none where that rank receives so much of the mean.
constexpr double enough_bytes = 1.1;
/// All exchanges together may add so much to the bytes that travel.
constexpr double most_bytes_more = 0.03;
/// An exchange after which another rank receives less may add so much to what the rank with most has to do.
constexpr double most_work_more = 0.02;
/// So many are tried, those that seem best first, before there is none that pays; so many a rank are made.
constexpr std::size_t most_tried = 32;
constexpr index_t most_made = 2;

index_t rank_with_most(const std::vector<double>& all) {
    return static_cast<index_t>(std::max_element(all.begin(), all.end()) - all.begin());
}

double most_of(const std::vector<double>& all) { return all[at(rank_with_most(all))]; }

class RankBalance {
public:
    RankBalance(RankLoads loads, const RankMachine& machine)
        : loads_(std::move(loads)),
          bytes_per_second_(machine.bytes_per_second),
          most_bytes_((1 + most_bytes_more) * loads_.bytes()) {}

    std::vector<RankGrid> grids() {
        const index_t most_steps = most_made * ranks();
        for (index_t step = 0; step < most_steps && has_less_work();) ++step;
        most_seconds_ = (1 + most_work_more) * most_of(loads_.seconds());
        for (index_t step = 0; step < most_steps && receives_less();) ++step;
        return std::move(loads_).grids();
    }

private:
    index_t ranks() const { return static_cast<index_t>(loads_.seconds().size()); }

    /// What travels more takes less time than the exchange saves.
    bool has_less_work() {
        const std::vector<double>& all = loads_.seconds();
        const double most = most_of(all), bytes = loads_.bytes();
        return exchange_first(
            candidates(
                all, least_gain_of_work, [&](const RankExchange& e) { return loads_.more_seconds(e); },
                [](const RankExchange&) { return true; }),
            [&](const RankExchange& e) { return (loads_.bytes() - bytes) / bytes_per_second_ < most - e.most; });
    }

    bool receives_less() {
        const std::vector<double>& all = loads_.received();
        const double most = most_of(all);
        if (most * ranks() <= enough_bytes * loads_.bytes()) return false;
        return exchange_first(
            candidates(
                all, least_gain_of_bytes, [&](const RankExchange& e) { return loads_.more_received(e); },
                [&](const RankExchange& e) {
                    const double more = loads_.more_seconds(e);
                    return loads_.seconds()[at(e.a)] + more <= most_seconds_ &&
                           loads_.seconds()[at(e.b)] - more <= most_seconds_;
                }),
            [&](const RankExchange&) { return most_of(loads_.received()) < most * (1 - least_gain_of_bytes); });
    }

    /// Exchanges after which neither rank would have as much as rank a, which has most, the best first.
    template <class More, class Allowed>
    std::vector<RankExchange> candidates(const std::vector<double>& all, double least_gain, More more,
                                         Allowed is_allowed) const {
        const index_t a = rank_with_most(all);
        std::vector<RankExchange> found;
        for (const index_t f : loads_.shared_fronts()) {
            if (!loads_.has_part(f, a)) continue;
            for (index_t b = 0; b < ranks(); ++b)
                for (const bool is_below : {false, true}) {
                    if (!loads_.has_part(f, b)) break;
                    RankExchange e{0, f, is_below, a, b};
                    const double change = more(e);
                    e.most = std::max(all[at(a)] + change, all[at(b)] - change);
                    if (e.most < all[at(a)] * (1 - least_gain) && is_allowed(e)) found.push_back(e);
                }
        }
        std::sort(found.begin(), found.end(), [](const RankExchange& x, const RankExchange& y) {
            return std::tie(x.most, x.front, x.is_below, x.b) < std::tie(y.most, y.front, y.is_below, y.b);
        });
        return found;
    }

    /// @return whether one of them pays, which is kept
    template <class Pays>
    bool exchange_first(const std::vector<RankExchange>& found, Pays pays) {
        for (std::size_t k = 0; k < std::min(found.size(), most_tried); ++k) {
            loads_.exchange(found[k]);
            if (loads_.bytes() <= most_bytes_ && pays(found[k])) return true;
            loads_.exchange(found[k]);
        }
        return false;
    }

    RankLoads loads_;
    double bytes_per_second_, most_bytes_, most_seconds_ = 0;
};

}  // namespace

std::vector<RankGrid> balanced_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops,
                                     RankMapping units, const RankMachine& machine, const MessageRule& rule) {
    return RankBalance(RankLoads(tree, front_flops, std::move(units), machine, rule), machine).grids();
}

}  // namespace frond
