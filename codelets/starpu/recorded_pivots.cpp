// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/recorded_pivots.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"

namespace frond {
namespace {

struct AllRuns {
    std::mutex mutex;
    std::atomic<bool> is_recording{false};
    std::vector<RecordedRun> recorded, replayed;
    std::size_t next = 0;  // of those replayed
};

AllRuns& runs() {
    static AllRuns& all = *new AllRuns;
    return all;
}

/// A hash of numbers one after the other: a multiplication and a fold of the product for each.
class Fingerprint {
public:
    template <class Number>
    void add(Number number) {
        hash_ = (hash_ ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15u;
        hash_ ^= hash_ >> 29;
    }
    std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0xc2b2ae3d27d4eb4fu;
};

[[noreturn]] void refuse(index_t front, const std::string& reason) {
    throw InvalidArgument("front " + std::to_string(front) + ": " + reason);
}

void expect_counts(const RecordedSecondPass& pass, index_t front, index_t order) {
    const bool counts = pass.rows >= 0 && pass.columns >= 0 && pass.kept >= 0 && pass.rows <= order &&
                        pass.columns <= order && pass.kept <= std::min(pass.rows, pass.columns);
    if (!counts || !(pass.search_flops >= 0))
        refuse(front, "its second pass eliminates " + std::to_string(pass.kept) + " of " +
                          std::to_string(pass.columns) + " columns and " + std::to_string(pass.rows) + " rows");
}

void expect_panels(const Analysis& analysis, const RecordedFront& recorded) {
    const index_t grid = analysis.mapping.grid_of_front[at(recorded.front)];
    const index_t panels = grid < 0 ? 0 : analysis.mapping.grids[at(grid)].own_tiles;
    if (recorded.panels.size() != at(panels))
        refuse(recorded.front, "it has " + std::to_string(panels) + " panels, and " +
                                   std::to_string(recorded.panels.size()) + " are recorded");
    for (index_t k = 0; k < panels; ++k) {
        const RecordedPanel& panel = recorded.panels[at(k)];
        const bool counts = panel.rows >= 0 && panel.columns >= 0 && panel.rows <= analysis.order &&
                            panel.columns <= analysis.order && panel.kept >= 0 &&
                            panel.kept <= analysis.mapping.grids[at(grid)].size(k);
        if (!counts)
            refuse(recorded.front, "panel " + std::to_string(k) + " keeps " + std::to_string(panel.kept) +
                                       " columns of " + std::to_string(analysis.mapping.grids[at(grid)].size(k)) +
                                       ", with " + std::to_string(panel.rows) + " rows and " +
                                       std::to_string(panel.columns) + " columns failed");
    }
}

}  // namespace

const RecordedFront* RecordedRun::find(index_t front) const {
    const auto found =
        std::lower_bound(fronts.begin(), fronts.end(), front,
                         [](const RecordedFront& recorded, index_t wanted) { return recorded.front < wanted; });
    return found != fronts.end() && found->front == front ? &*found : nullptr;
}

std::uint64_t fingerprint_of(const Analysis& analysis) {
    Fingerprint hash;
    hash.add(analysis.pattern_hash);
    hash.add(analysis.factorization);
    for (const Front& front : analysis.tree.fronts) {
        hash.add(front.npiv);
        hash.add(front.nfront);
        hash.add(front.parent);
    }
    for (const index_t column : analysis.column_order) hash.add(column);
    for (const Subtree& subtree : analysis.mapping.subtrees) {
        hash.add(subtree.first_front);
        hash.add(subtree.root_front);
    }
    for (const TileGrid& grid : analysis.mapping.grids)
        for (const index_t cut : grid.cut) hash.add(cut);
    return hash.value();
}

void record_pivots(bool on) noexcept { runs().is_recording.store(on); }

bool are_pivots_recorded() noexcept { return runs().is_recording.load(std::memory_order_relaxed); }

void add_recorded_run(RecordedRun run) {
    const std::lock_guard lock(runs().mutex);
    runs().recorded.push_back(std::move(run));
}

std::vector<RecordedRun> take_recorded_runs() {
    const std::lock_guard lock(runs().mutex);
    std::vector<RecordedRun> all = std::exchange(runs().recorded, {});
    const auto is_other = [&all](const RecordedRun& run) {
        return run.analysis != all.back().analysis || run.threshold != all.back().threshold;
    };
    const auto last_other = std::find_if(all.rbegin(), all.rend(), is_other);
    all.erase(all.begin(), last_other.base());
    return all;
}

void replay_pivots(std::vector<RecordedRun> given) {
    runs().replayed = std::move(given);
    runs().next = 0;
}

void expect_run_of(const Analysis& analysis, const RecordedRun& run) {
    index_t before = -1;
    for (const RecordedFront& recorded : run.fronts) {
        if (recorded.front <= before || recorded.front >= analysis.tree.front_count())
            refuse(recorded.front, "the fronts are 0 .. " + std::to_string(analysis.tree.front_count() - 1) +
                                       ", and each is recorded once, in ascending order");
        before = recorded.front;
        expect_panels(analysis, recorded);
        expect_counts(recorded.second_pass, recorded.front, analysis.order);
    }
}

const RecordedRun* begin_replayed_run() { return has_replayed_run() ? &runs().replayed[runs().next++] : nullptr; }

bool has_replayed_run() noexcept { return runs().next < runs().replayed.size(); }

}  // namespace frond
