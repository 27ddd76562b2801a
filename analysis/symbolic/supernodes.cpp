// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/steps.hpp"
#include "tree_parts.hpp"

#include <algorithm>
#include <utility>

namespace frond {

ChildLists child_lists(const std::vector<index_t>& parent) {
    const index_t n = static_cast<index_t>(parent.size());
    ChildLists lists;
    lists.begin.assign(parent.size() + 1, 0);
    for (index_t p : parent) {
        if (p >= 0) ++lists.begin[p + 1];
    }
    for (index_t s = 0; s < n; ++s) lists.begin[s + 1] += lists.begin[s];
    lists.child.resize(static_cast<std::size_t>(lists.begin[n]));
    std::vector<count_t> next(lists.begin.begin(), lists.begin.end() - 1);
    for (index_t s = 0; s < n; ++s) {
        if (parent[s] >= 0) lists.child[next[parent[s]]++] = s;
    }
    return lists;
}

namespace {

/// joins[k] = 1: column k belongs to the node of column k - 1.
std::vector<std::uint8_t> joined_columns(const std::vector<index_t>& parent, const std::vector<index_t>& count,
                                         const std::vector<std::uint8_t>& pair_with_next) {
    const index_t n = static_cast<index_t>(parent.size());
    std::vector<std::uint8_t> many_children(parent.size(), 0);
    for (index_t k = 0; k + 1 < n; ++k) {
        if (parent[k] >= 0 && parent[k] != k + 1) many_children[parent[k]] = 1;
    }
    std::vector<std::uint8_t> joins(parent.size(), 0);
    for (index_t k = 1; k < n; ++k) {
        const bool pair = !pair_with_next.empty() && pair_with_next[k - 1];
        joins[k] = pair || (parent[k - 1] == k && count[k - 1] == count[k] + 1 && !many_children[k]);
    }
    return joins;
}

}  // namespace

// Any child of k but k - 1 makes k a branch: in a postorder the last child of k is k - 1.
SupernodeTree fundamental_supernodes(const PostorderedTree& tree, std::vector<index_t> count,
                                     const std::vector<std::uint8_t>& pair_with_next) {
    const index_t n = static_cast<index_t>(tree.parent.size());
    for (index_t k = 0; k + 1 < n; ++k) {
        if (!pair_with_next.empty() && pair_with_next[k]) count[k] = count[k + 1] + 1;
    }
    const std::vector<std::uint8_t> joins = joined_columns(tree.parent, count, pair_with_next);
    SupernodeTree nodes;
    nodes.node_of_column.resize(tree.parent.size());
    for (index_t k = 0; k < n; ++k) {
        if (!joins[k]) {
            nodes.npiv.push_back(0);
            nodes.nfront.push_back(count[k]);
        }
        ++nodes.npiv.back();
        nodes.node_of_column[k] = nodes.nodes() - 1;
    }
    nodes.parent.assign(nodes.npiv.size(), -1);
    for (index_t k = 0; k < n; ++k) {
        const index_t s = nodes.node_of_column[k];
        const index_t p = tree.parent[k];
        if (p >= 0 && nodes.node_of_column[p] != s) nodes.parent[s] = nodes.node_of_column[p];
    }
    return nodes;
}

// Time of one front on a core:
//     flops / rate * (1 + half_columns / npiv)   narrow fronts run below the rate of wide ones
//   + factor entries and contribution entries, each moved a few times, over the bandwidth
//   + a fixed cost for the calls, loops and index lists of a front.
// Coefficients fitted to factor_subtree on one Zen 5 core (poisson2d, poisson3d, cont-300: within
// 15%). The optimum is flat: half or twice any of them changes the time by less than 5%.
double front_seconds(count_t npiv, count_t nfront, Factorization kind) {
    constexpr double flops_per_second = 90e9;
    constexpr double half_columns = 8;
    constexpr double factor_seconds = 1.2e-9;  // zeroed, assembled, read by the solve
    constexpr double contribution_seconds = 1.0e-9;  // zeroed, updated, read, added
    constexpr double fixed_seconds = 0.2e-6;
    const double columns = static_cast<double>(npiv);
    const double ncb = static_cast<double>(nfront - npiv);
    const double triangles = kind == Factorization::lu ? 2 : 1;
    const double factor_entries = triangles * columns * (columns / 2 + ncb);
    const double contribution_entries = triangles * ncb * ncb / 2;
    return front_flops(npiv, nfront, kind) / flops_per_second * (1 + half_columns / columns) +
           factor_entries * factor_seconds + contribution_entries * contribution_seconds + fixed_seconds;
}

namespace {

/// Sizes of the nodes while they grow.
class Merger {
public:
    Merger(const SupernodeTree& fine, Factorization kind, double zeros_share, index_t apart_from)
        : npiv_(fine.npiv),
          nfront_(fine.nfront),
          zeros_(fine.npiv.size(), 0.0),
          into_(fine.npiv.size(), -1),
          kind_(kind),
          zeros_share_(zeros_share),
          apart_from_(apart_from),
          large_children_(fine.npiv.size(), 0) {}

    /// Offers the children of s, those that add the fewest zeros first.
    void visit(index_t s, index_t* child_first, index_t* child_last) {
        const count_t nfront = nfront_[s];
        const auto zeros = [&](index_t c) { return npiv_[c] * (nfront - ncb(c)); };
        std::sort(child_first, child_last,
                  [&](index_t a, index_t b) { return std::pair(zeros(a), a) < std::pair(zeros(b), b); });
        large_children_[s] =
            static_cast<index_t>(std::count_if(child_first, child_last, [&](index_t c) { return is_large(c); }));
        for (index_t* c = child_first; c != child_last; ++c) {
            if (!is_one_of_several(*c, s) && pays(*c, s)) merge(*c, s);
        }
    }

    SupernodeTree result(const SupernodeTree& fine) const { return gathered_nodes(fine, npiv_, nfront_, into_); }

private:
    count_t ncb(index_t s) const { return nfront_[s] - npiv_[s]; }

    /// Zeros that the columns of c get when their structure becomes that of s, too.
    double added_zeros(index_t c, index_t s) const {
        return static_cast<double>(npiv_[c]) * static_cast<double>(nfront_[s] - ncb(c));
    }

    bool pays(index_t c, index_t s) const;

    bool is_large(index_t s) const { return apart_from_ > 0 && nfront_[s] >= apart_from_; }
    /// Subtrees on both sides of s are then done by different ranks, which s would have to wait for.
    bool is_one_of_several(index_t c, index_t s) const { return is_large(c) && large_children_[s] > 1; }

    void merge(index_t c, index_t s) {
        if (is_large(c)) --large_children_[s];
        large_children_[s] += large_children_[c];
        zeros_[s] += zeros_[c] + added_zeros(c, s);
        npiv_[s] += npiv_[c];
        nfront_[s] += npiv_[c];
        into_[c] = s;
    }

    std::vector<index_t> npiv_;
    std::vector<index_t> nfront_;
    std::vector<double> zeros_;
    std::vector<index_t> into_;  // -1: still a node
    Factorization kind_;
    double zeros_share_;
    index_t apart_from_;
    std::vector<index_t> large_children_;
};

bool Merger::pays(index_t c, index_t s) const {
    const count_t npiv = count_t{npiv_[c]} + npiv_[s];
    const count_t nfront = count_t{npiv_[c]} + nfront_[s];
    const double added = added_zeros(c, s);
    if (added == 0) return true;
    if (zeros_share_ > 0) {
        const double entries = static_cast<double>(npiv * nfront - npiv * (npiv - 1) / 2);
        return zeros_[c] + zeros_[s] + added < zeros_share_ * entries;
    }
    return front_seconds(npiv, nfront, kind_) <
           front_seconds(npiv_[c], nfront_[c], kind_) + front_seconds(npiv_[s], nfront_[s], kind_);
}

}  // namespace

SupernodeTree gathered_nodes(const SupernodeTree& fine, const std::vector<index_t>& npiv,
                             const std::vector<index_t>& nfront, const std::vector<index_t>& into) {
    const index_t n = fine.nodes();
    std::vector<index_t> top(into);  // the node that s has become part of
    for (index_t s = n - 1; s >= 0; --s) top[s] = into[s] < 0 ? s : top[into[s]];
    SupernodeTree coarse;
    std::vector<index_t> number(fine.npiv.size(), -1);
    for (index_t s = 0; s < n; ++s) {
        if (top[s] != s) continue;
        number[s] = coarse.nodes();
        coarse.npiv.push_back(npiv[s]);
        coarse.nfront.push_back(nfront[s]);
    }
    coarse.parent.reserve(coarse.npiv.size());
    for (index_t s = 0; s < n; ++s) {
        const index_t p = fine.parent[s];
        if (top[s] == s) coarse.parent.push_back(p < 0 ? -1 : number[top[p]]);
    }
    coarse.node_of_column.reserve(fine.node_of_column.size());
    for (index_t s : fine.node_of_column) coarse.node_of_column.push_back(number[top[s]]);
    return coarse;
}

// Bottom up, each node is offered its children (Ashcraft & Grimes 1989, section 3, with a time
// in place of a count of zeros). The merged front has order npiv(c) + nfront(s) whatever the
// structures are, since the rows of c below its columns all lie in s; so no structure is needed
// here.
SupernodeTree amalgamate(const SupernodeTree& fine, Factorization kind, double zeros_share, index_t apart_from) {
    ChildLists lists = child_lists(fine.parent);
    Merger merger(fine, kind, zeros_share, apart_from);
    for (index_t s = 0; s < fine.nodes(); ++s) {
        merger.visit(s, lists.child.data() + lists.begin[s], lists.child.data() + lists.begin[s + 1]);
    }
    return merger.result(fine);
}

}  // namespace frond
