// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/entry_plan.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/operations.hpp"
#include "ranks/collectively.hpp"
#include "system/rows/row_plan.hpp"

namespace frond::detail {
namespace {

/// visit(position, row, column) of all entries of a canonical matrix.
template <class T, class Visit>
void for_entries(const SparseMatrix<T>& a, Visit visit) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            visit(e, a.pattern.row[static_cast<std::size_t>(e)], j);
}

/// How a pattern travels: the row of what has its mirror image on the same rank, and the column of a mirrored entry.
index_t marked(index_t number, bool mark) { return mark ? ~number : number; }

/// Whether it was marked; it is not any more.
bool take_mark(index_t& number) {
    if (number >= 0) return false;
    number = ~number;
    return true;
}

}  // namespace

template <class T>
EntryPlan<T>::EntryPlan(Communicator& ranks, const RankPart<T>& part, const RowCuts* cuts)
    : declared_(part.declared),
      both_triangles_(part.both_triangles),
      mirrors_(part.both_triangles || part.entries->symmetry != Symmetry::general) {
    const SparseMatrix<T>& a = *part.entries;
    auto pattern = std::make_shared<BlockPattern>();
    std::vector<count_t> entries = entries_of_rows(ranks, part);
    if (cuts == nullptr) ranks.all_reduce_sum(entries);
    pattern->cuts = cuts != nullptr ? *cuts : equal_cuts(entries, ranks.size());
    pattern->rank = ranks.rank();
    // Skew-symmetric matrices are general ones inside Frond, and real Hermitian ones symmetric.
    const Symmetry kept = both_triangles_ ? declared_ : a.symmetry;
    pattern->symmetry = kept == Symmetry::skew_symmetric ? Symmetry::general : kept;
    if (!is_complex<T> && kept == Symmetry::hermitian) pattern->symmetry = Symmetry::symmetric;
    pattern_ = std::move(pattern);
    if (part.by_rows) RowPlan(ranks, pattern_->cuts, part.rows, RowsGiven::once, "A");
    entries_ = a.entries();
    hash_ = hash_pattern(a.pattern);
    send_pattern(ranks, a);
}

/// The number of entries of each row, both triangles together, as this rank has them.
template <class T>
std::vector<count_t> EntryPlan<T>::entries_of_rows(Communicator& ranks, const RankPart<T>& part) const {
    const SparseMatrix<T>& a = *part.entries;
    std::vector<count_t> entries;
    collectively(ranks, [&] {
        entries.assign(static_cast<std::size_t>(a.rows()), 0);
        for_entries(a, [&](count_t, index_t i, index_t j) {
            if (i < 0 || i >= a.rows())
                throw InvalidMatrix("a sparse matrix has an entry in row " + std::to_string(i) + ", but order " +
                                    std::to_string(a.rows()) + "; make it by make_sparse()");
            ++entries[static_cast<std::size_t>(i)];
            if (mirrors_ && i != j) ++entries[static_cast<std::size_t>(j)];
        });
    });
    return entries;
}

template <class T>
void EntryPlan<T>::send_pattern(Communicator& ranks, const SparseMatrix<T>& a) {
    const RowCuts& cuts = pattern_->cuts;
    Parcels<BlockEntry> out;
    collectively(ranks, [&] {
        std::vector<count_t> sizes(static_cast<std::size_t>(ranks.size()), 0);
        // visit(rank, position in the part or ~position where it is sent mirrored, as it travels)
        const auto for_sent = [&](auto visit) {
            for_entries(a, [&](count_t e, index_t i, index_t j) {
                const bool has_image = mirrors_ && i != j;
                const index_t to = cuts.owner(i), image_to = has_image ? cuts.owner(j) : to;
                visit(to, e, BlockEntry{marked(i - cuts.begin(to), has_image && image_to == to), j});
                if (image_to != to) visit(image_to, ~e, BlockEntry{j - cuts.begin(image_to), marked(i, true)});
            });
        };
        for_sent([&](index_t to, count_t, const BlockEntry&) { ++sizes[static_cast<std::size_t>(to)]; });
        out_begin_ = out.begin = begin_of_sizes(sizes);
        std::vector<count_t> next(out.begin.begin(), out.begin.end() - 1);
        std::vector<count_t> from(static_cast<std::size_t>(out.begin.back()));
        out.data.resize(from.size());
        for_sent([&](index_t to, count_t e, const BlockEntry& entry) {
            const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(to)]++);
            from[at] = e;
            out.data[at] = entry;
        });
        from_ = Positions(from);
    });
    Parcels<BlockEntry> in = exchanged(ranks, out);
    in_begin_ = std::move(in.begin);
    collectively(ranks, [&] { receive_pattern(std::move(in.data)); });
}

/// Mirror images that this rank makes follow what came.
template <class T>
void EntryPlan<T>::receive_pattern(std::vector<BlockEntry> in) {
    const std::size_t came = in.size();
    std::vector<count_t> image(mirrors_ ? came : 0, no_image);
    std::vector<bool> mirrored(came);
    in.reserve(came + at(std::count_if(in.begin(), in.end(), [](const BlockEntry& e) { return e.row < 0; })));
    for (std::size_t k = 0; k < came; ++k) {
        mirrored[k] = take_mark(in[k].column);
        if (!take_mark(in[k].row)) continue;
        image[k] = static_cast<count_t>(in.size());
        in.push_back({in[k].column - pattern_->first(), pattern_->first() + in[k].row});
    }
    auto pattern = std::make_shared<BlockPattern>(*pattern_);
    std::vector<count_t> to = sort_entries(in, *pattern);
    pattern_ = std::move(pattern);
    each_comes_once_ = !both_triangles_ && to.size() == pattern_->column.size();
    for (count_t& k : image)
        if (k != no_image) k = to[at(k)];
    to.resize(came);
    for (std::size_t k = 0; k < came; ++k)
        if (both_triangles_ && mirrored[k]) to[k] = ~to[k];
    to_ = Positions(to);
    image_to_ = Positions(image);
}

template <class T>
bool EntryPlan<T>::suits(const RankPart<T>& part, const ParallelFor& parallel_for) const {
    const SparseMatrix<T>& a = *part.entries;
    return part.declared == declared_ && part.both_triangles == both_triangles_ && a.rows() == pattern_->cuts.order() &&
           a.entries() == entries_ && hash_pattern(a.pattern, parallel_for) == hash_;
}

template <class T>
count_t EntryPlan<T>::bytes() const {
    const std::size_t of_rows = pattern_->begin.size() * sizeof(count_t);
    return from_.bytes() + to_.bytes() + image_to_.bytes() +
           static_cast<count_t>(of_rows + pattern_->column.size() * (sizeof(index_t) + sizeof(T)));
}

#define FROND_INSTANTIATE(T) template class EntryPlan<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
