// SPDX-License-Identifier: BSD-3-Clause
#include "factors/pivots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

constexpr double doubtful = 1e3;  // times the bound of null columns
/// Fewer digits part fewer sizes; null_sizes looks at what it finds.
template <class T>
constexpr double gap = sizeof(real_t<T>) == sizeof(float) ? 10 : 1e3;

/// |det| / ||D||_inf: between half and all of the smaller eigenvalue's size.
template <class T>
double smaller_eigenvalue(T d, T e, T c) {
    const double row = std::max<double>(std::abs(d), std::abs(c)) + std::abs(e);
    const double mirrored = std::abs(e) * (std::abs(e) / row);
    const double product = std::abs(d) * (std::abs(c) / row);
    return std::abs(product - mirrored);
}

/// Gives `keep` the sizes of the pivots of [2, n] records, or without records of the diagonal.
template <class T, class Keep>
void visit_sizes(const DenseView<const T>& block, const T* pivots, index_t count, Keep keep) {
    for (index_t k = 0; k < count; ++k) {
        if (pivots == nullptr) {
            keep(std::abs(block(k, k)));
        } else if (pivots[2 * at(k) + 1] == T(0)) {
            keep(std::abs(pivots[2 * at(k)]));
        } else {
            keep(smaller_eigenvalue(pivots[2 * at(k)], pivots[2 * at(k) + 1], pivots[2 * at(k) + 2]));
            ++k;
        }
    }
}

template <class T>
double last_doubtful_size(const FactorsState<T>& state) {
    const double share = std::cbrt(static_cast<double>(std::numeric_limits<real_t<T>>::epsilon()));
    return std::min(doubtful * state.report.pivots.null_below, share * state.system.largest_entry);
}

}  // namespace

template <class T>
bool may_have_rank_gap(const FactorsState<T>& state) {
    return state.report.pivots.smallest <= last_doubtful_size(state);
}

template <class T>
double bound_in_rank_gap(const FactorsState<T>& state) {
    std::vector<double> sizes;  // of the pivots that matter, not null
    const double last_doubtful = last_doubtful_size(state);
    const double last_of_interest = gap<T> * last_doubtful;
    const auto keep = [&](double size) {
        // Columns that were given back as null keep what was left of them.
        if (size > state.report.pivots.null_below && size <= last_of_interest) sizes.push_back(size);
    };
    const bool in_records = has_block_diagonal(state.kind());
    for_each_pivot_block<T>(state.factors, [&](const PivotBlock<T>& b) {
        visit_sizes(b.block, in_records ? b.pivots : nullptr, b.block.cols, keep);
    });
    for_each_second_pass<T>(state.factors, [&](const cpu::SecondPass<T>& l) {
        const index_t height = l.rows() + l.ncb;
        const DenseView<const T> panel{l.panel.data(), height, l.kept, std::max(height, 1)};
        visit_sizes(panel, in_records ? l.pivots.data() : nullptr, l.kept, keep);
    });
    std::sort(sizes.begin(), sizes.end());
    for (std::size_t k = sizes.size(); k-- > 0;) {
        const double next = k + 1 < sizes.size() ? sizes[k + 1] : last_of_interest;
        if (sizes[k] <= last_doubtful && next >= gap<T> * sizes[k]) return std::sqrt(sizes[k] * next);
    }
    return 0;
}

#define FROND_INSTANTIATE(T)                                    \
    template bool may_have_rank_gap<T>(const FactorsState<T>&); \
    template double bound_in_rank_gap<T>(const FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
