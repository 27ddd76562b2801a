// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/dense_steps.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace frond {
namespace {

/// Finds the maxima of columns begin .. end. False: an entry is not finite.
template <class T>
bool look_at_columns(const DenseMatrixView<T>& a, const Scaling& scaling, count_t begin, count_t end,
                     DenseMaxima& found) {
    constexpr double most = std::numeric_limits<real_t<T>>::max();
    const bool scaled = !scaling.row.empty(), one_triangle = a.symmetry != Symmetry::general;
    const double* const r = scaling.row.data();
    double* const row = found.row.data();
    int outside = 0;
    for (count_t j = begin; j < end; ++j) {
        const T* const column = a.column(j);
        const double c = scaled ? scaling.column[at(j)] : 1;
        const count_t last = end_row(a, j);
        double largest = 0;
        for (count_t i = first_row(a, j); i < last; ++i) {
            const double size = scaled ? size_of(column[i]) * r[i] * c : size_of(column[i]);
            outside |= static_cast<int>(!(size <= most));
            row[i] = std::max(row[i], size);
            largest = std::max(largest, size);
        }
        double& of_column = one_triangle ? row[j] : found.column[at(j)];
        of_column = std::max(of_column, largest);
    }
    return outside == 0;
}

template <class T>
[[noreturn]] void fail_not_finite(const DenseMatrixView<T>& a, const Scaling& scaling) {
    constexpr double most = std::numeric_limits<real_t<T>>::max();
    for (count_t j = 0; j < a.order; ++j)
        for (count_t i = first_row(a, j); i < end_row(a, j); ++i) {
            const double size = size_of(a.column(j)[i]);
            const double scaled = scaling.row.empty() ? size : size * scaling.row[at(i)] * scaling.column[at(j)];
            if (scaled <= most) continue;
            const std::string entry =
                "entry (" + std::to_string(i) + ", " + std::to_string(j) + ") of the dense matrix, counted from 0, is ";
            throw InvalidMatrix(entry +
                                (std::isnan(size) ? "NaN"
                                 : size > most    ? "infinite"
                                                  : "infinite when scaled") +
                                "; values must be finite");
        }
    throw InvalidMatrix("the dense matrix changed while it was read; leave it as it is until the solver is done");
}

}  // namespace

double DenseMaxima::largest() const {
    double most = 0;
    for (const double x : row) most = std::max(most, x);
    return most;
}

template <class T>
DenseMaxima dense_maxima(const DenseMatrixView<T>& a, const Scaling& scaling, const ParallelFor& parallel_for) {
    constexpr count_t most_chunks = 16, least_columns = 32;
    const count_t n = a.order, chunks = std::clamp<count_t>(n / least_columns, 1, most_chunks);
    std::vector<DenseMaxima> part(at(chunks));
    std::vector<char> finite(at(chunks), 0);
    DenseMaxima all{std::vector<double>(at(n), 0.0), std::vector<double>(at(n), 0.0)};
    const auto look = [&](count_t c) {
        part[at(c)].row.assign(at(n), 0.0);
        part[at(c)].column.assign(at(n), 0.0);
        finite[at(c)] = look_at_columns(a, scaling, n * c / chunks, n * (c + 1) / chunks, part[at(c)]) ? 1 : 0;
    };
    if (parallel_for && chunks > 1)
        parallel_for(chunks, look);
    else
        for (count_t c = 0; c < chunks; ++c) look(c);
    if (std::find(finite.begin(), finite.end(), 0) != finite.end()) fail_not_finite(a, scaling);
    const auto take = [](std::vector<double>& to, const std::vector<double>& from) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], from[i]);
    };
    for (const DenseMaxima& p : part) {
        take(all.row, p.row);
        take(all.column, p.column);
    }
    return all;
}

#define FROND_INSTANTIATE(T) \
    template DenseMaxima dense_maxima<T>(const DenseMatrixView<T>&, const Scaling&, const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

namespace {

/// scale_i := scale_i / size_i, or by its square root; a power of two with an exponent within [-1000, 1000].
void divide(std::vector<double>& scale, const std::vector<double>& size, bool by_root) {
    constexpr double most = 0x1p1000;
    for (std::size_t i = 0; i < scale.size(); ++i) {
        if (!(size[i] > 0)) continue;
        const double quotient = scale[i] / (by_root ? std::sqrt(size[i]) : size[i]);
        scale[i] = std::clamp(quotient, 1 / most, most);
    }
    round_to_powers_of_two(scale);
}

}  // namespace

Scaling equilibrate_dense(count_t order, Symmetry symmetry, const MaximaOf& maxima_of, double& largest) {
    constexpr int symmetric_sweeps = 3;
    Scaling scaling;
    scaling.method = ScalingMethod::equilibrate;
    const std::vector<double> ones(at(order), 1.0);
    scaling.row = scaling.column = ones;
    if (symmetry == Symmetry::general) {
        divide(scaling.row, maxima_of({}).row, false);
        const std::vector<double> size = maxima_of(scaling).column;
        divide(scaling.column, size, false);
        largest = 0;
        for (std::size_t j = 0; j < size.size(); ++j) largest = std::max(largest, size[j] * scaling.column[j]);
        return scaling;
    }
    for (int sweep = 0; sweep < symmetric_sweeps; ++sweep) {
        divide(scaling.row, maxima_of(scaling).row, true);
        scaling.column = scaling.row;
    }
    largest = maxima_of(scaling).largest();
    return scaling;
}

}  // namespace frond
