// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/equilibrate_blocks.hpp"

#include <optional>

#include "frond/base/instantiate.hpp"
#include "frond/matrix/magnitude_of.hpp"
#include "ranks/reduce_max.hpp"
#include "system/rows/transposed_rows.hpp"

namespace frond::detail {
namespace {

/// Rows of A, or columns as rows of A^T.
struct Lines {
    std::shared_ptr<const BlockPattern> pattern;
    std::vector<double> magnitude;  // of its entries
};

template <class T>
Lines columns_of(Communicator& ranks, const BlockPattern& a, const LargeVector<T>& value) {
    Lines lines;
    if (a.symmetry != Symmetry::general) {
        // Magnitudes of rows and columns are alike; what is pointed to outlives this call.
        lines.pattern = std::shared_ptr<const BlockPattern>(std::shared_ptr<const BlockPattern>(), &a);
        collectively(ranks, [&] { lines.magnitude = magnitudes_of(value); });
        return lines;
    }
    const BlockRows<T> transposed = transposed_rows(ranks, a, value);
    lines.pattern = transposed.pattern;
    collectively(ranks, [&] { lines.magnitude = magnitudes_of(*transposed.value); });
    return lines;
}

}  // namespace

template <class T>
RowsAndColumns equilibrate_blocks(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                                  bool symmetric) {
    const Lines columns = columns_of(ranks, pattern, value);
    std::vector<double> magnitude;
    std::optional<Equilibration> work;
    collectively(ranks, [&] {
        if (!symmetric) magnitude = magnitudes_of(value);
        work.emplace(pattern.cuts.order(), pattern.cuts.order(), symmetric);
    });
    work->run([&](LineNorm norm, const auto& r, const auto& c, RowsAndColumns& norms) {
        for_block_entries(*columns.pattern, [&](count_t e, index_t j, index_t i) {
            norms.column[at(j)] = joined(norm, norms.column[at(j)], columns.magnitude[at(e)] * r[at(i)] * c[at(j)]);
        });
        reduce_max(ranks, norms.column);
        if (symmetric) return;
        for_block_entries(pattern, [&](count_t e, index_t i, index_t j) {
            norms.row[at(i)] = joined(norm, norms.row[at(i)], magnitude[at(e)] * r[at(i)] * c[at(j)]);
        });
        reduce_max(ranks, norms.row);
    });
    return work->take();
}

#define FROND_INSTANTIATE(T) \
    template RowsAndColumns equilibrate_blocks<T>(Communicator&, const BlockPattern&, const LargeVector<T>&, bool);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
