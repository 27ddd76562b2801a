// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/split_fronts.hpp"

#include <algorithm>
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

/// Columns of the parts of each front, from the first one to the last.
using Parts = std::vector<std::vector<index_t>>;

Parts parts_of(const Analysis& analysis, const std::function<index_t(index_t, index_t)>& columns) {
    Parts parts;
    for (const Front& front : analysis.tree.fronts) {
        parts.emplace_back();
        for (index_t done = 0; done < front.npiv;) {
            const index_t left = front.npiv - done;
            index_t next = columns(left, front.nfront - done);
            FROND_EXPECTS(next >= 1 && next <= left,
                          "a part of a front has " + std::to_string(next) + " of " + std::to_string(left) + " columns");
            const count_t last = static_cast<count_t>(front.first_column) + done + next - 1;
            if (next < left && !analysis.pair_with_next.empty() && analysis.pair_with_next[at(last)] != 0)
                next += next > 1 ? -1 : 1;
            parts.back().push_back(next);
            done += next;
        }
    }
    return parts;
}

/// The entries of one front by the parts that eliminate the first of their row and column, in the order that they have
/// within a part.
class EntriesOfParts {
public:
    explicit EntriesOfParts(EntryMap& map) : map_(map) {}

    void split(count_t first, count_t last, const std::vector<index_t>& parts) {
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
std::vector<T> copy_of(const std::vector<T>& vector) {
    std::vector<T> copy;
    reserve_huge_pages(copy, vector.size());
    copy.insert(copy.end(), vector.begin(), vector.end());
    return copy;
}

/// To place all entries anew takes longer than all else.
EntryMap split_entries(const EntryMap& given, const Parts& parts) {
    EntryMap map{{0}, copy_of(given.source), copy_of(given.row), copy_of(given.column)};
    EntriesOfParts entries(map);
    for (std::size_t f = 0; f < parts.size(); ++f)
        if (parts[f].size() == 1)
            map.front_begin.push_back(given.front_begin[f + 1]);
        else
            entries.split(given.front_begin[f], given.front_begin[f + 1], parts[f]);
    return map;
}

/// Contribution rows of all parts.
count_t count_rows(const AssemblyTree& tree, const Parts& parts) {
    count_t rows = 0;
    for (std::size_t f = 0; f < parts.size(); ++f) {
        index_t left = tree.fronts[f].nfront;
        for (const index_t npiv : parts[f]) rows += left -= npiv;
    }
    return rows;
}

/// The contribution rows of a part are the columns of those above it, then those of the front.
AssemblyTree split_tree(const AssemblyTree& tree, const Parts& parts) {
    std::vector<index_t> first_part;
    index_t number = 0;
    for (const std::vector<index_t>& of_front : parts) {
        first_part.push_back(number);
        number += static_cast<index_t>(of_front.size());
    }
    AssemblyTree result;
    result.order = tree.order;
    const auto all_rows = static_cast<std::size_t>(count_rows(tree, parts));
    reserve_huge_pages(result.rows, all_rows);
    reserve_huge_pages(result.relative_rows, all_rows);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& old = tree.fronts[at(f)];
        index_t column = old.first_column;
        for (std::size_t p = 0; p < parts[at(f)].size(); ++p) {
            const index_t npiv = parts[at(f)][p], end = old.first_column + old.npiv;
            const bool is_last = p + 1 == parts[at(f)].size();
            const index_t above = old.parent < 0 ? -1 : first_part[at(old.parent)];
            const index_t parent = is_last ? above : static_cast<index_t>(result.fronts.size()) + 1;
            const index_t nfront = old.nfront - (column - old.first_column);
            result.fronts.push_back({column, npiv, nfront, parent, static_cast<count_t>(result.rows.size())});
            column += npiv;
            for (index_t row = column; row < end; ++row) result.rows.push_back(row);
            const auto rows = tree.rows.begin() + old.rows_begin;
            result.rows.insert(result.rows.end(), rows, rows + old.ncb());
        }
    }
    link_fronts(result);
    find_relative_rows(result);
    return result;
}

Analysis without_tree(const Analysis& a) {
    return {a.order,        a.entries,   a.symmetry,     a.factorization,  a.positive_diagonal,
            a.pattern_hash, a.row_order, a.column_order, a.pair_with_next, a.matching_row_of_column,
            AssemblyTree(), EntryMap(),  Mapping(),      CostModel(),      a.options,
            a.report,       KeptFacts()};
}

}  // namespace

Analysis split_fronts(const Analysis& analysis, const std::function<index_t(index_t npiv, index_t nfront)>& columns) {
    const Parts parts = parts_of(analysis, columns);
    Analysis result = without_tree(analysis);
    result.tree = split_tree(analysis.tree, parts);
    result.entry_map = split_entries(analysis.entry_map, parts);
    cost_and_map(result);
    return result;
}

}  // namespace frond
