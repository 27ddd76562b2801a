// SPDX-License-Identifier: BSD-3-Clause
// bench_rank_traffic MATRIX KIND RANKS...: what ranks that share fronts would receive within them, beside lower bounds, for
// these numbers of ranks; nothing is run. With flops_r operations on M_r scalars of the front a rank must receive
// flops_r / sqrt(M_r) words by L U (Kwasniewski et al. 2021), flops_r / sqrt(2 M_r) by L L^T (Beaumont et al. 2022).
#include "frond/analysis/rank_mapping.hpp"
#include "rank_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

using namespace frond;

struct Part {
    double flops = 0, scalars = 0, words = 0;

    double bound(bool symmetric) const { return scalars > 0 ? flops / std::sqrt((symmetric ? 2 : 1) * scalars) : 0; }
};

/// The part of each rank, by the tiles (i, j) that it has: 2 b_i b_j b_k for each panel k before.
std::vector<Part> parts_of(const RankGrid& grid, const TileGrid& tiles, bool symmetric, index_t ranks) {
    std::vector<Part> parts(static_cast<std::size_t>(ranks));
    for (index_t i = 0; i < tiles.tiles(); ++i)
        for (index_t j = 0; j < (symmetric ? i + 1 : tiles.tiles()); ++j) {
            Part& part = parts[static_cast<std::size_t>(grid.owner(i, j))];
            const double half = symmetric && i == j ? 0.5 : 1, size = half * tiles.size(i) * tiles.size(j);
            const index_t panels = std::min({i, j, tiles.own_tiles});
            for (index_t k = 0; k < panels; ++k) part.flops += 2 * size * tiles.size(k);
            if (std::min(i, j) < tiles.own_tiles) part.flops += size * tiles.size(std::min(i, j));
            part.scalars += size;
        }
    return parts;
}

bool is_panel(MessageKind kind) {
    return kind == MessageKind::diagonal || kind == MessageKind::lower_tile || kind == MessageKind::upper_tile;
}

void measure(const Analysis& a, index_t ranks) {
    RankMachine machine;
    machine.flops_per_second.assign(static_cast<std::size_t>(ranks), mapped_flops_of_core);
    const MessageRule rule{a.factorization, true, 8};
    const RankMapping mapping = map_units(a.tree, a.mapping, a.cost.front_flops, machine, rule);
    const bool symmetric = a.factorization != Factorization::lu;
    double words = 0, bound = 0, worst = 0;
    index_t shared = 0;
    for (index_t f = 0; f < a.tree.front_count(); ++f) {
        const auto at = static_cast<std::size_t>(f);
        if (mapping.grid[at].members().size() < 2) continue;
        ++shared;
        std::vector<Part> parts = parts_of(mapping.grid[at], mapping.tiles[at], symmetric, ranks);
        for_each_message(a.tree, mapping, rule, f, [&](const Message& m) {
            if (is_panel(m.kind))
                parts[static_cast<std::size_t>(m.destination)].words += static_cast<double>(m.bytes) / 8;
        });
        double of_front = 0, needed = 0;
        for (const Part& part : parts) {
            of_front += part.words;
            needed += part.bound(symmetric);
        }
        words += of_front;
        bound += needed;
        worst = std::max(worst, of_front / needed);
    }
    std::printf("%d ranks: %d shared fronts, %.1f MB within them, %.1f by the bound: %.2f, of one front at most %.2f\n",
                static_cast<int>(ranks), static_cast<int>(shared), words * 8e-6, bound * 8e-6, words / bound, worst);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc < 4) throw std::runtime_error("MATRIX KIND RANKS...");
        const SparseMatrix<double> a = bench::real_matrix(argv[1]);
        std::printf("%s\n", argv[1]);
        for (int k = 3; k < argc; ++k) {
            AnalysisOptions options;
            options.factorization = bench::kind_of(argv[2]);
            options.ordering = OrderingMethod::nested_dissection;
            options.ranks = options.workers = std::atoi(argv[k]);
            measure(*analyze(a, options).analysis, options.ranks);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_rank_traffic: %s\n", error.what());
        return 2;
    }
    return 0;
}
