// SPDX-License-Identifier: BSD-3-Clause
#include "pair_table.hpp"

#include <algorithm>
#include <tuple>

#include "frond/base/vector_index.hpp"

namespace frond {

PairTable::PairTable(index_t ranks, index_t classes)
    : ranks_(ranks),
      classes_(classes),
      left_(classes * (classes - 1) / 2),
      owner_(at(classes) * at(classes), -1),
      classes_of_(at(ranks)),
      work_(at(ranks), 0),
      free_pairs_(at(classes), classes - 1),
      covered_(at(classes), 0) {
    while (left_ > 0) deal_pair();
    for (index_t c = 0; c < classes; ++c) deal_diagonal(c);
}

index_t& PairTable::owner(index_t a, index_t b) { return owner_[at(a) * at(classes_) + at(b)]; }

bool PairTable::has(index_t rank, index_t c) const {
    const std::vector<index_t>& own = classes_of_[at(rank)];
    return std::find(own.begin(), own.end(), c) != own.end();
}

bool PairTable::is_free(index_t a, index_t b) const { return owner_[at(a) * at(classes_) + at(b)] < 0; }

void PairTable::add_class(index_t rank, index_t c) {
    if (has(rank, c)) return;
    classes_of_[at(rank)].push_back(c);
    ++covered_[at(c)];
}

void PairTable::give(index_t rank, Pair pair) {
    const auto [a, b] = pair;
    owner(a, b) = owner(b, a) = rank;
    work_[at(rank)] += a == b ? 1 : 2;
    if (a == b) return;
    --left_;
    --free_pairs_[at(a)];
    --free_pairs_[at(b)];
}

index_t PairTable::rank_with_least() const {
    return static_cast<index_t>(std::min_element(work_.begin(), work_.end()) - work_.begin());
}

std::optional<PairTable::Pair> PairTable::pair_within(index_t rank) const {
    const std::vector<index_t>& own = classes_of_[at(rank)];
    for (std::size_t x = 0; x < own.size(); ++x)
        for (std::size_t y = 0; y < x; ++y)
            if (is_free(own[x], own[y])) return Pair{own[x], own[y]};
    return std::nullopt;
}

/// Makes most free pairs with those of the rank; of equal ones that which fewest ranks have, then which has most free pairs.
std::optional<index_t> PairTable::best_class(index_t rank) const {
    const std::vector<index_t>& own = classes_of_[at(rank)];
    std::optional<index_t> best;
    std::tuple<index_t, index_t, index_t> least;
    for (index_t c = 0; c < classes_; ++c) {
        if (has(rank, c)) continue;
        const auto pairs = std::count_if(own.begin(), own.end(), [&](index_t o) { return is_free(c, o); });
        if (pairs == 0) continue;
        const std::tuple key{-static_cast<index_t>(pairs), covered_[at(c)], -free_pairs_[at(c)]};
        if (!best || key < least) best = c, least = key;
    }
    return best;
}

/// The class of the rank that has most free pairs.
index_t PairTable::partner_of(index_t rank, index_t c) const {
    index_t best = -1;
    for (const index_t o : classes_of_[at(rank)])
        if (o != c && is_free(c, o) && (best < 0 || free_pairs_[at(o)] > free_pairs_[at(best)])) best = o;
    return best;
}

PairTable::Pair PairTable::least_covered_pair() const {
    Pair best{-1, -1};
    std::pair<index_t, index_t> least;
    for (index_t a = 1; a < classes_; ++a)
        for (index_t b = 0; b < a; ++b) {
            if (!is_free(a, b)) continue;
            const std::pair key{covered_[at(a)] + covered_[at(b)], -free_pairs_[at(a)] - free_pairs_[at(b)]};
            if (best.first < 0 || key < least) best = {a, b}, least = key;
        }
    return best;
}

void PairTable::deal_pair() {
    const index_t rank = rank_with_least();
    if (const auto within = pair_within(rank)) return give(rank, *within);
    if (const auto c = best_class(rank)) {
        add_class(rank, *c);
        return give(rank, {*c, partner_of(rank, *c)});
    }
    const Pair pair = least_covered_pair();
    add_class(rank, pair.first);
    add_class(rank, pair.second);
    give(rank, pair);
}

/// A class with itself goes to a rank that has it.
void PairTable::deal_diagonal(index_t c) {
    index_t rank = -1;
    for (index_t r = 0; r < ranks_; ++r)
        if (has(r, c) && (rank < 0 || work_[at(r)] < work_[at(rank)])) rank = r;
    give(rank, {c, c});
}

RankGrid PairTable::grid() const { return {classes_, classes_, owner_}; }

double PairTable::imbalance() const {
    return static_cast<double>(*std::max_element(work_.begin(), work_.end())) * ranks_ /
           static_cast<double>(count_t{classes_} * classes_);
}

double PairTable::part_of_lines() const {
    std::size_t most = 0;
    for (const std::vector<index_t>& own : classes_of_) most = std::max(most, own.size());
    return static_cast<double>(most) / classes_;
}

}  // namespace frond
