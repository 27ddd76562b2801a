// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/delay_pivots.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "tree_parts.hpp"

namespace frond {

namespace {

/// Which parts the fronts become, in their order.
struct Parts {
    std::vector<index_t> first;  // [fronts + 1] of each front
    std::vector<index_t> npiv;  // [parts]

    std::span<const index_t> of(std::size_t f) const {
        return std::span(npiv).subspan(at(first[f]), at(first[f + 1] - first[f]));
    }
};

Parts parts_of(const Analysis& analysis, const std::function<index_t(index_t, index_t)>& columns) {
    Parts parts{{0}, {}};
    for (const Front& front : analysis.tree.fronts) {
        for (index_t done = 0; done < front.npiv;) {
            const index_t left = front.npiv - done;
            index_t next = columns(left, front.nfront - done);
            FROND_EXPECTS(next >= 1 && next <= left,
                          "a part of a front has " + std::to_string(next) + " of " + std::to_string(left) + " columns");
            const count_t last = static_cast<count_t>(front.first_column) + done + next - 1;
            if (next < left && !analysis.pair_with_next.empty() && analysis.pair_with_next[at(last)] != 0)
                next += next > 1 ? -1 : 1;
            parts.npiv.push_back(next);
            done += next;
        }
        parts.first.push_back(static_cast<index_t>(parts.npiv.size()));
    }
    return parts;
}

/// The entries of one front by the parts that eliminate the first of their row and column, in the order that they have
/// within a part.
class EntriesOfParts {
public:
    explicit EntriesOfParts(EntryMap& map) : map_(map) {}

    void split(count_t first, count_t last, std::span<const index_t> parts) {
        given_.clear();
        for (count_t e = first; e < last; ++e)
            given_.push_back({map_.source[at(e)], map_.row[at(e)], map_.column[at(e)]});
        part_of_.clear();
        for (std::size_t p = 0; p < parts.size(); ++p) part_of_.insert(part_of_.end(), at(parts[p]), p);
        std::vector<count_t> next(parts.size() + 1, 0);
        for (const Entry& entry : given_) ++next[part_of(entry) + 1];
        next.front() = first;
        for (std::size_t p = 0; p < parts.size(); ++p) next[p + 1] += next[p];
        map_.front_begin.insert(map_.front_begin.end(), next.begin() + 1, next.end());
        std::vector<index_t> done(1, 0);
        for (const index_t npiv : parts) done.push_back(done.back() + npiv);
        for (const Entry& entry : given_) {
            const std::size_t part = part_of(entry), to = at(next[part]++);
            map_.source[to] = entry.source;
            map_.row[to] = entry.row - done[part];
            map_.column[to] = entry.column - done[part];
        }
    }

private:
    struct Entry {
        count_t source;
        index_t row, column;
    };
    std::size_t part_of(const Entry& entry) const { return part_of_[at(std::min(entry.row, entry.column))]; }

    EntryMap& map_;
    std::vector<Entry> given_;
    std::vector<std::size_t> part_of_;  // [columns of the front]
};

/// New memory, which takes longer than what is done with it.
template <class T>
void reserve_huge_pages(std::vector<T>& vector, std::size_t size) {
    vector.reserve(size);
    ask_for_huge_pages(vector.data(), size * sizeof(T));
}

template <class T>
void copy_to(const std::vector<T>& vector, std::vector<T>& copy) {
    reserve_huge_pages(copy, vector.size());
    copy.insert(copy.end(), vector.begin(), vector.end());
}

/// In the order of the given map: finding all positions anew takes longer than all else.
void split_entries(const EntryMap& given, const Parts& parts, EntryMap& map) {
    map.front_begin.push_back(0);
    EntriesOfParts entries(map);
    for (std::size_t f = 0; f + 1 < given.front_begin.size(); ++f)
        if (parts.of(f).size() == 1)
            map.front_begin.push_back(given.front_begin[f + 1]);
        else
            entries.split(given.front_begin[f], given.front_begin[f + 1], parts.of(f));
}

/// Without rows. The contribution rows of a part are the columns of those above it, then those of the front.
AssemblyTree split_tree(const AssemblyTree& tree, const Parts& parts) {
    AssemblyTree result;
    result.order = tree.order;
    count_t rows = 0;
    for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
        const Front& old = tree.fronts[f];
        index_t column = old.first_column, nfront = old.nfront;
        for (const index_t npiv : parts.of(f)) {
            const index_t number = static_cast<index_t>(result.fronts.size()) + 1;
            const index_t above = old.parent < 0 ? -1 : parts.first[at(old.parent)];
            result.fronts.push_back({column, npiv, nfront, number < parts.first[f + 1] ? number : above, rows});
            column += npiv;
            nfront -= npiv;
            rows += nfront;
        }
    }
    link_fronts(result);
    return result;
}

/// The contribution rows of a part, and where they are in its parent: the columns of the parts above it, then the rows of the
/// front, which are in the first part of a front where they were in the whole one.
void add_rows(const AssemblyTree& tree, const Parts& parts, AssemblyTree& result) {
    if (result.fronts.empty()) return;
    const Front& last = result.fronts.back();
    for (std::vector<index_t>* rows : {&result.rows, &result.relative_rows})
        reserve_huge_pages(*rows, at(last.rows_begin + last.ncb()));
    for (std::size_t f = 0; f < tree.fronts.size(); ++f)
        for (index_t p = parts.first[f]; p < parts.first[f + 1]; ++p) {
            const Front& part = result.fronts[at(p)];
            const count_t begin = tree.fronts[f].rows_begin, end = begin + tree.fronts[f].ncb();
            const index_t above = part.ncb() - tree.fronts[f].ncb();
            for (index_t k = 0; k < above; ++k) result.rows.push_back(part.first_column + part.npiv + k);
            result.rows.insert(result.rows.end(), tree.rows.begin() + begin, tree.rows.begin() + end);
            if (p + 1 == parts.first[f + 1])
                result.relative_rows.insert(result.relative_rows.end(), tree.relative_rows.begin() + begin,
                                            tree.relative_rows.begin() + end);
            else
                for (index_t k = 0; k < part.ncb(); ++k) result.relative_rows.push_back(k);
        }
}

}  // namespace

Analysis without_tree(const Analysis& a) {
    return {a.order,        a.entries,   a.symmetry,     a.factorization,  a.positive_diagonal,
            a.pattern_hash, a.row_order, a.column_order, a.pair_with_next, a.matching_row_of_column,
            AssemblyTree(), EntryMap(),  Mapping(),      CostModel(),      a.options,
            a.report,       KeptFacts()};
}

/// Lists of entries, next to the tree: both are new memory, and about as long.
Analysis split_fronts(const Analysis& analysis, const std::function<index_t(index_t npiv, index_t nfront)>& columns,
                      const ParallelFor& parallel_for) {
    const Parts parts = parts_of(analysis, columns);
    Analysis result = without_tree(analysis);
    result.tree = split_tree(analysis.tree, parts);
    const EntryMap& given = analysis.entry_map;
    EntryMap& map = result.entry_map;
    const std::function<void()> work[] = {[&] {
                                              add_rows(analysis.tree, parts, result.tree);
                                              cost_and_map(result);
                                          },
                                          [&] { copy_to(given.source, map.source); },
                                          [&] { copy_to(given.row, map.row); },
                                          [&] { copy_to(given.column, map.column); }};
    constexpr count_t lists = std::size(work);
    if (parallel_for)
        parallel_for(lists, [&work](count_t k) { work[k](); });
    else
        for (const std::function<void()>& list : work) list();
    split_entries(given, parts, map);
    return result;
}

}  // namespace frond
