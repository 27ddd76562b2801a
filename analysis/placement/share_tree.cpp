// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/pieces.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "share_parts.hpp"
#include "frond/base/contract.hpp"

namespace frond {
namespace {

/// Subtrees that are opened, for each device; and what sharing has to be quicker by, since it is an estimate.
constexpr index_t most_opened = 16;
constexpr double worthwhile_share = 0.9;

class Sharing {
public:
    Sharing(const AssemblyTree& tree, const std::vector<double>& front_flops, index_t devices, const ShareCosts& costs,
            const std::vector<char>& may_be_by_all)
        : tree_(tree),
          costs_(costs),
          devices_(devices),
          seconds_(tree, front_flops, devices, costs),
          closed_on_(tree.fronts.size(), none),
          device_of_(tree.fronts.size()),
          end_(tree.fronts.size()) {
        find_tops(may_be_by_all);
    }

    TreeShares best() {
        std::vector<index_t> subtrees, opened;
        for (index_t f = 0; f < tree_.front_count(); ++f)
            if (tree_.fronts[at(f)].parent < 0) subtrees.push_back(f);
        TreeShares on_one = together(subtrees), best = on_one;
        for (index_t k = 0; k < most_opened * devices_; ++k) {
            std::sort(subtrees.begin(), subtrees.end());
            for (const std::vector<SharedPart>& dealt :
                 {deal_costliest_first(subtrees, devices_, seconds_), deal_in_order(subtrees, devices_, seconds_)})
                for (const std::vector<char>& top : tops_) {
                    TreeShares shares = share(dealt, opened, top);
                    if (shares.seconds < best.seconds) best = std::move(shares);
                }
            if (!open_costliest(subtrees, opened)) break;
        }
        return best.seconds + costs_.piece_seconds < worthwhile_share * on_one.seconds ? best : on_one;
    }

private:
    /// None, and fronts of several orders or more that may be done by all, as may all above them.
    void find_tops(const std::vector<char>& may_be_by_all) {
        constexpr index_t orders = 4;
        tops_.emplace_back(tree_.fronts.size(), char(0));
        index_t least = costs_.least_order_by_all;
        for (index_t k = 0; k < orders && !may_be_by_all.empty() && devices_ > 1; ++k, least += least / 2) {
            std::vector<char> top = may_be_by_all;
            for (std::size_t f = top.size(); f-- > 0;) {
                const Front& front = tree_.fronts[f];
                if (front.nfront < least || (front.parent >= 0 && top[at(front.parent)] == 0)) top[f] = 0;
            }
            if (top != tops_.back()) tops_.push_back(std::move(top));
        }
    }

    bool each_has_a_part(const std::vector<SharedPart>& parts) const {
        std::vector<char> has(at(devices_), 0);
        for (const SharedPart& part : parts) has[at(part.device)] = 1;
        return std::find(has.begin(), has.end(), 0) == has.end();
    }

    /// All on device 0, where the levels of trees side by side are one.
    TreeShares together(const std::vector<index_t>& roots) const {
        TreeShares shares;
        double longest_path = 0;
        for (const index_t root : roots) {
            shares.parts.push_back({root, true, 0});
            shares.seconds += seconds_.work(root);
            longest_path = std::max(longest_path, seconds_.path(root));
        }
        shares.seconds += longest_path;
        return shares;
    }

    bool open_costliest(std::vector<index_t>& subtrees, std::vector<index_t>& opened) const {
        const auto costliest = std::max_element(subtrees.begin(), subtrees.end(), [&](index_t a, index_t b) {
            return seconds_.of_subtree(a) < seconds_.of_subtree(b);
        });
        if (costliest == subtrees.end()) return false;
        const index_t front = *costliest;
        const count_t begin = tree_.child_begin[at(front)], end = tree_.child_begin[at(front) + 1];
        if (begin == end) return false;
        *costliest = tree_.children[at(begin)];
        subtrees.insert(subtrees.end(), tree_.children.begin() + begin + 1, tree_.children.begin() + end);
        opened.push_back(front);
        return true;
    }

    /// An opened front all of whose children are on one device is no longer open, if it is not for all.
    void close(std::vector<SharedPart>& parts, std::vector<index_t>& opened, const std::vector<char>& top) {
        std::vector<index_t>& device_of = closed_on_;
        std::vector<index_t> roots(opened);
        for (const SharedPart& part : parts) {
            device_of[at(part.root)] = part.device;
            roots.push_back(part.root);
        }
        std::vector<index_t> left;
        for (const index_t f : opened) {
            const auto first = tree_.children.begin() + tree_.child_begin[at(f)],
                       last = tree_.children.begin() + tree_.child_begin[at(f) + 1];
            const index_t device = device_of[at(*first)];
            const bool is_whole = top[at(f)] == 0 && device != none &&
                                  std::all_of(first, last, [&](index_t c) { return device_of[at(c)] == device; });
            if (!is_whole) {
                left.push_back(f);
                continue;
            }
            std::for_each(first, last, [&](index_t c) { device_of[at(c)] = none; });
            device_of[at(f)] = device;
        }
        opened = std::move(left);
        std::sort(roots.begin(), roots.end());
        parts.clear();
        for (const index_t f : roots)
            if (const index_t device = std::exchange(device_of[at(f)], none); device != none)
                parts.push_back({f, true, device});
    }

    /// Neighbours on one device are one piece, whose levels are side by side, and end together.
    std::size_t end_of_piece(const std::vector<SharedPart>& parts, std::size_t first) const {
        std::size_t last = first + 1;
        while (last < parts.size() && parts[last].device == parts[first].device &&
               tree_.first_descendant[at(parts[last].root)] == parts[last - 1].root + 1)
            ++last;
        return last;
    }

    TreeShares share(std::vector<SharedPart> subtrees, std::vector<index_t> opened, const std::vector<char>& may) {
        std::sort(opened.begin(), opened.end());
        const std::vector<char>& top = each_has_a_part(subtrees) ? may : tops_.front();
        close(subtrees, opened, top);
        TreeShares shares{std::move(subtrees), 0};
        std::vector<double> busy(at(devices_), 0.0);
        for (std::size_t first = 0, last = 0; first < shares.parts.size(); first = last) {
            last = end_of_piece(shares.parts, first);
            double path = 0, &until = busy[at(shares.parts[first].device)];
            for (std::size_t p = first; p < last; ++p) {
                until += seconds_.work(shares.parts[p].root);
                path = std::max(path, seconds_.path(shares.parts[p].root));
            }
            until += path;
            for (std::size_t p = first; p < last; ++p) {
                device_of_[at(shares.parts[p].root)] = shares.parts[p].device;
                end_[at(shares.parts[p].root)] = until;
            }
        }
        for (const index_t f : opened) top[at(f)] != 0 ? add_by_all(f, shares, busy) : add_opened(f, shares, busy);
        shares.seconds = *std::max_element(busy.begin(), busy.end());
        return shares;
    }

    /// The front goes to the device of the child that ends last.
    void add_opened(index_t f, TreeShares& shares, std::vector<double>& busy) {
        const index_t device = device_of_[at(f)] = device_of_[at(last_child(f))];
        double& begin = busy[at(device)];
        for (count_t c = tree_.child_begin[at(f)]; c < tree_.child_begin[at(f) + 1]; ++c) {
            const index_t child = tree_.children[at(c)];
            const double moved = device_of_[at(child)] == device ? 0 : seconds_.moved(tree_.fronts[at(child)].ncb());
            begin = std::max(begin, end_[at(child)] + moved);
        }
        end_[at(f)] = begin += seconds_.of_front(f);
        shares.parts.push_back({f, false, device});
    }

    /// The front begins when all devices are done with what is below, and have what they need of it.
    void add_by_all(index_t f, TreeShares& shares, std::vector<double>& busy) {
        double begin = *std::max_element(busy.begin(), busy.end());
        for (count_t c = tree_.child_begin[at(f)]; c < tree_.child_begin[at(f) + 1]; ++c) {
            const index_t child = tree_.children[at(c)];
            begin = std::max(begin, end_[at(child)] + seconds_.moved(tree_.fronts[at(child)].ncb()));
        }
        end_[at(f)] = begin + seconds_.of_front_by_all(f);
        std::fill(busy.begin(), busy.end(), end_[at(f)]);
        device_of_[at(f)] = SharedPart::by_all;
        shares.parts.push_back({f, false, SharedPart::by_all});
    }

    index_t last_child(index_t front) const {
        const auto first = tree_.children.begin() + tree_.child_begin[at(front)];
        return *std::max_element(first, tree_.children.begin() + tree_.child_begin[at(front) + 1],
                                 [&](index_t a, index_t b) { return end_[at(a)] < end_[at(b)]; });
    }

    const AssemblyTree& tree_;
    const ShareCosts& costs_;
    index_t devices_;
    std::vector<std::vector<char>> tops_;  // [fronts] each: those that may be done by all; the first has none
    FrontSeconds seconds_;
    // [fronts] Of those that are parts or opened in what is looked at: a walk over all fronts for each would take longer
    // than all else.
    static constexpr index_t none = -1;
    std::vector<index_t> closed_on_;  // none but inside close()
    std::vector<index_t> device_of_;
    std::vector<double> end_;
};

}  // namespace

TreeShares share_tree(const AssemblyTree& tree, const std::vector<double>& front_flops, index_t devices,
                      const ShareCosts& costs, const std::vector<char>& may_be_by_all) {
    FROND_EXPECTS(devices >= 1, "a tree is shared among " + std::to_string(devices) + " devices; give 1 or more");
    FROND_EXPECTS(front_flops.size() == tree.fronts.size(), "front_flops has not one entry a front");
    if (tree.fronts.empty()) return {};
    FROND_EXPECTS(may_be_by_all.empty() || may_be_by_all.size() == tree.fronts.size(),
                  "may_be_by_all has not one entry a front");
    return Sharing(tree, front_flops, devices, costs, may_be_by_all).best();
}

}  // namespace frond
