// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/kept_scaling.hpp"

#include "magnitudes.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "magnitudes.hpp"

#include <atomic>
#include <utility>

namespace frond {
namespace {

constexpr int most_moved = 4, most_lost = 8;

void run(const ParallelFor& parallel_for, count_t chunks, const std::function<void(count_t)>& body) {
    if (parallel_for && chunks > 1) return parallel_for(chunks, body);
    for (count_t c = 0; c < chunks; ++c) body(c);
}

/// Chunks of columns with about as many entries: a function of the pattern alone.
std::vector<index_t> cut_columns(const Pattern& p) {
    constexpr count_t least = 1 << 17, most_chunks = 64;
    const count_t chunks = std::clamp<count_t>(p.entries() / least, 1, most_chunks);
    std::vector<index_t> cut{0};
    for (count_t c = 1; c < chunks; ++c) {
        const auto place = std::lower_bound(p.begin.begin(), p.begin.end() - 1, p.entries() * c / chunks);
        cut.push_back(std::max(cut.back(), static_cast<index_t>(place - p.begin.begin())));
    }
    cut.push_back(p.cols);
    return cut;
}

/// Raised by one thread, or by several.
struct Plain {
    static void raise(std::int32_t& most, std::int32_t x) { most = std::max(most, x); }
};
struct Shared {
    static void raise(std::int32_t& most, std::int32_t x) {
        const std::atomic_ref<std::int32_t> shared(most);
        std::int32_t known = shared.load(std::memory_order_relaxed);
        while (known < x && !shared.compare_exchange_weak(known, x, std::memory_order_relaxed)) {
        }
    }
};

int exponent_of_scale(const std::vector<double>& scale, std::size_t i) { return exponent_of(scale[i]); }

/// True: holds(i) for some i in [0, size); by chunks.
template <class Holds>
bool any_by_chunks(const ParallelFor& parallel_for, std::size_t size, const Holds& holds) {
    constexpr std::size_t of_chunk = 1 << 16;
    std::atomic<bool> found{false};
    run(parallel_for, static_cast<count_t>((size + of_chunk - 1) / of_chunk), [&](count_t c) {
        for (std::size_t i = at(c) * of_chunk; i < std::min(size, (at(c) + 1) * of_chunk); ++i)
            if (holds(i)) return found.store(true);
    });
    return found;
}

bool has_moved(const ParallelFor& parallel_for, const std::vector<std::int32_t>& now,
               const std::vector<std::int32_t>& before) {
    return any_by_chunks(parallel_for, now.size(),
                         [&](std::size_t i) { return std::abs(now[i] - before[i]) > most_moved; });
}

}  // namespace

/// Exponents of the largest scaled entry of every row (unless rows are columns) and column.
struct KeptScaling::Largest {
    std::vector<std::int32_t> row, column;
};

template <class T>
KeptScaling::KeptScaling(Scaling scaling, bool stale, const SparseMatrix<T>& a, const Analysis& analysis,
                         const ParallelFor& parallel_for)
    : scaling_(std::move(scaling)),
      stale_(stale),
      both_triangles_(a.symmetry != Symmetry::general),
      symmetric_(analysis.factorization != Factorization::lu),
      column_cut_(cut_columns(a.pattern)) {
    if (!scaling_.row.empty()) set_exponents(a.pattern, parallel_for);
    Largest largest = largest_of(a, parallel_for);
    row_ = std::move(largest.row);
    column_ = std::move(largest.column);
    set_matched(a, analysis.matching_row_of_column);
}

void KeptScaling::set_exponents(const Pattern& p, const ParallelFor& parallel_for) {
    exponent_.resize(at(p.entries()));
    if (both_triangles_ && !symmetric_) mirrored_exponent_.resize(exponent_.size());
    run(parallel_for, static_cast<count_t>(column_cut_.size()) - 1, [&](count_t c) {
        for (index_t j = column_cut_[at(c)]; j < column_cut_[at(c) + 1]; ++j) {
            const int column = exponent_of_scale(scaling_.column, at(j));
            const int row = exponent_of_scale(scaling_.row, at(j));
            for (std::size_t e = at(p.begin[at(j)]); e < at(p.begin[at(j) + 1]); ++e) {
                const std::size_t i = at(p.row[e]);
                exponent_[e] = static_cast<std::int16_t>(exponent_of_scale(scaling_.row, i) + column);
                if (!mirrored_exponent_.empty())
                    mirrored_exponent_[e] = static_cast<std::int16_t>(exponent_of_scale(scaling_.column, i) + row);
            }
        }
    });
}

template <class T>
KeptScaling::Largest KeptScaling::largest_of(const SparseMatrix<T>& a, const ParallelFor& parallel_for) const {
    const Pattern& p = a.pattern;
    Largest most;
    most.column.assign(at(p.cols), exponent_of_zero);
    if (!symmetric_) most.row.assign(at(p.rows), exponent_of_zero);
    std::vector<std::int32_t>& rows = symmetric_ ? most.column : most.row;
    const bool mirrors_into_both = both_triangles_ && !symmetric_;
    const auto chunk = [&]<class Raise>(count_t c, Raise) {
        for (index_t j = column_cut_[at(c)]; j < column_cut_[at(c) + 1]; ++j) {
            std::int32_t of_column = exponent_of_zero;
            for (std::size_t e = at(p.begin[at(j)]); e < at(p.begin[at(j) + 1]); ++e) {
                const int x = exponent_of(a.value[e]);
                const int scaled = exponent_.empty() ? x : shifted(x, exponent_[e]);
                of_column = std::max<std::int32_t>(of_column, scaled);
                Raise::raise(rows[at(p.row[e])], scaled);
                if (!mirrors_into_both) continue;
                const int mirrored = mirrored_exponent_.empty() ? x : shifted(x, mirrored_exponent_[e]);
                Raise::raise(most.column[at(p.row[e])], mirrored);
                Raise::raise(most.row[at(j)], mirrored);
            }
            Raise::raise(most.column[at(j)], of_column);
        }
    };
    const auto chunks = static_cast<count_t>(column_cut_.size()) - 1;
    if (chunks == 1 || !parallel_for)
        for (count_t c = 0; c < chunks; ++c) chunk(c, Plain{});
    else
        parallel_for(chunks, [&](count_t c) { chunk(c, Shared{}); });
    return most;
}

template <class T>
void KeptScaling::set_matched(const SparseMatrix<T>& a, const std::vector<index_t>& row_of_column) {
    covers_all_ = true;
    for (index_t j = 0; j < static_cast<index_t>(row_of_column.size()); ++j) {
        index_t i = row_of_column[at(j)], column = j;
        const bool mirrored = both_triangles_ && i < j;
        if (mirrored && i >= 0) std::swap(i, column);
        const count_t e = i < 0 ? -1 : find_entry(a.pattern, i, column);
        if (e < 0) {
            covers_all_ = false;
            continue;
        }
        matched_.push_back(mirrored ? ~e : e);
        matched_exponent_.push_back(static_cast<std::int16_t>(exponent_of_matched(a, matched_.size() - 1)));
        if (matched_exponent_.back() == exponent_of_zero) covers_all_ = false;
    }
}

template <class T>
int KeptScaling::exponent_of_matched(const SparseMatrix<T>& a, std::size_t k) const {
    const bool mirrored = matched_[k] < 0;
    const std::size_t e = at(mirrored ? ~matched_[k] : matched_[k]);
    const std::vector<std::int16_t>& shift = mirrored && !mirrored_exponent_.empty() ? mirrored_exponent_ : exponent_;
    return shifted(exponent_of(a.value[e]), shift.empty() ? 0 : shift[e]);
}

template <class T>
bool KeptScaling::suits(const SparseMatrix<T>& a, const ParallelFor& parallel_for) const {
    const auto has_lost = [&](std::size_t k) { return exponent_of_matched(a, k) < matched_exponent_[k] - most_lost; };
    if (any_by_chunks(parallel_for, matched_.size(), has_lost)) return false;
    const Largest now = largest_of(a, parallel_for);
    return !has_moved(parallel_for, now.row, row_) && !has_moved(parallel_for, now.column, column_);
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template KeptScaling::KeptScaling(Scaling, bool, const SparseMatrix<T>&, const Analysis&, const ParallelFor&); \
    template bool KeptScaling::suits<T>(const SparseMatrix<T>&, const ParallelFor&) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
