// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"
#include "mapping_parts.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

/// What a rank has of a front.
struct Share {
    double work = 0;  // operations, up to a factor that is the same for all
    count_t factors = 0, contribution = 0;  // scalars
};

/// Of tile (i, j): updates by all panels before it, and the solve or factorization of its own panel.
double work_of_tile(const TileGrid& tiles, index_t i, index_t j) {
    const double rows = tiles.size(i), cols = tiles.size(j);
    const index_t first = std::min(i, j);
    const double before = tiles.cut[at(std::min(first, tiles.own_tiles))];
    const double own = first < tiles.own_tiles ? std::min(rows, cols) / 2 : 0;
    return rows * cols * (before + own);
}

std::vector<Share> shares_of(const RankGrid& grid, const TileGrid& tiles, Factorization kind) {
    std::vector<Share> shares(at(grid.size()));
    for (index_t j = 0; j < tiles.tiles(); ++j)
        for (index_t i = kind == Factorization::lu ? 0 : j; i < tiles.tiles(); ++i) {
            Share& share = shares[at(grid.owner(i, j) - grid.first)];
            share.work += work_of_tile(tiles, i, j) / (kind != Factorization::lu && i == j ? 2 : 1);
            (std::min(i, j) < tiles.own_tiles ? share.factors : share.contribution) +=
                count_t{tiles.size(i)} * tiles.size(j);
        }
    return shares;
}

class Prediction {
public:
    Prediction(const AssemblyTree& tree, const std::vector<double>& front_flops, const RankMapping& mapping,
               const MessageRule& rule)
        : tree_(tree),
          flops_(front_flops),
          mapping_(mapping),
          rule_(rule),
          now_(at(mapping.ranks), 0),
          held_(tree.fronts.size()),
          ranks_(at(mapping.ranks)) {}

    std::vector<RankPrediction> run() {
        for (index_t f = 0; f < tree_.front_count(); ++f) {
            if (mapping_.is_shared(f))
                share(f);
            else
                work_alone(f);
        }
        for (RankPrediction& r : ranks_) {
            r.factor_bytes *= rule_.scalar_bytes;
            r.peak_bytes *= rule_.scalar_bytes;
        }
        return ranks_;
    }

private:
    bool ends_piece(index_t f) const {
        const index_t parent = tree_.fronts[at(f)].parent;
        return parent < 0 || mapping_.is_shared(parent);
    }

    void allocate(index_t rank, count_t scalars) {
        now_[at(rank)] += scalars;
        ranks_[at(rank)].peak_bytes = std::max(ranks_[at(rank)].peak_bytes, now_[at(rank)]);
    }

    /// Fronts of a piece come one after the other; its memory is counted at its top front.
    void work_alone(index_t f) {
        const index_t rank = mapping_.grid[at(f)].first;
        const Front& front = tree_.fronts[at(f)];
        ranks_[at(rank)].flops += flops_[at(f)];
        const count_t factors = front_panels(front, rule_.kind).size;
        ranks_[at(rank)].factor_bytes += factors;
        piece_factors_ += factors;
        if (!ends_piece(f)) return;
        const count_t stack = stack_peak(tree_, tree_.first_descendant[at(f)], f);
        const count_t block = count_t{front.ncb()} * front.ncb();
        allocate(rank, piece_factors_ + stack);
        now_[at(rank)] -= stack - block;
        held_[at(f)] = {{rank, block}};
        piece_factors_ = 0;
    }

    void share(index_t f) {
        const RankGrid& grid = mapping_.grid[at(f)];
        const std::vector<Share> shares = shares_of(grid, mapping_.tiles[at(f)], rule_.kind);
        double work = 0;
        for (const Share& s : shares) work += s.work;
        for (index_t r = 0; r < grid.size(); ++r) {
            const Share& s = shares[at(r)];
            RankPrediction& rank = ranks_[at(grid.first + r)];
            rank.flops += work > 0 ? flops_[at(f)] * s.work / work : 0;
            rank.factor_bytes += s.factors;
            allocate(grid.first + r, s.factors + s.contribution);
            held_[at(f)].push_back({grid.first + r, s.contribution});
        }
        exchange(f);
        for (count_t c = tree_.child_begin[at(f)]; c < tree_.child_begin[at(f) + 1]; ++c)
            for (const auto& [rank, scalars] : held_[at(tree_.children[at(c)])]) now_[at(rank)] -= scalars;
    }

    /// Contribution blocks of others lie beside the front until they are assembled.
    void exchange(index_t f) {
        std::vector<count_t> waiting(at(mapping_.ranks), 0);
        for_each_message(tree_, mapping_, rule_, f, [&](const Message& m) {
            ranks_[at(m.source)].sent_bytes += m.bytes;
            ++ranks_[at(m.source)].sent_messages;
            ranks_[at(m.destination)].received_bytes += m.bytes;
            ++ranks_[at(m.destination)].received_messages;
            if (m.kind == MessageKind::contribution) waiting[at(m.destination)] += m.bytes / rule_.scalar_bytes;
        });
        for (index_t r = 0; r < mapping_.ranks; ++r) {
            allocate(r, waiting[at(r)]);
            now_[at(r)] -= waiting[at(r)];
        }
    }

    const AssemblyTree& tree_;
    const std::vector<double>& flops_;
    const RankMapping& mapping_;
    const MessageRule& rule_;
    std::vector<count_t> now_;  // scalars in use
    std::vector<std::vector<std::pair<index_t, count_t>>> held_;  // contribution blocks: rank, scalars
    std::vector<RankPrediction> ranks_;  // in scalars until the end
    count_t piece_factors_ = 0;
};

}  // namespace

std::vector<RankPrediction> predict_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops,
                                          const RankMapping& mapping, const MessageRule& rule) {
    FROND_EXPECTS(mapping.group.size() == tree.fronts.size(), "the mapping is of another tree; map this one");
    FROND_EXPECTS(front_flops.size() == tree.fronts.size(), "front_flops has not one entry a front; give one");
    return Prediction(tree, front_flops, mapping, rule).run();
}

}  // namespace frond
