// SPDX-License-Identifier: BSD-3-Clause
// Grids of every kind that can be factored, and their factors with all tasks on the device that can go there.
#pragma once

#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "hard_systems.hpp"
#include "run_both.hpp"
#include "scalar_lists.hpp"

#include <vector>

namespace frond::test {

struct Kind {
    Factorization factorization;
    Symmetry symmetry;
    double diagonal;  // 3: indefinite, and 2 x 2 pivots are needed nowhere; 0: everywhere
};

template <class T>
std::vector<Kind> kinds() {
    std::vector<Kind> all{{Factorization::lu, Symmetry::general, 6.5},
                          {Factorization::lu, Symmetry::general, 0.25},
                          {Factorization::ldlt, Symmetry::symmetric, 6.5},
                          {Factorization::ldlt, Symmetry::symmetric, 3},
                          {Factorization::ldlt, Symmetry::symmetric, 0},
                          {Factorization::llt, is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric, 6.5}};
    if (is_complex<T>) {
        all.push_back({Factorization::ldlh, Symmetry::hermitian, 3});
        all.push_back({Factorization::ldlh, Symmetry::hermitian, 0});
    }
    return all;
}

/// A grid of k^3 points, each coupled with its neighbours by numbers of magnitude 0.5 to 1.
template <class T>
SparseMatrix<T> grid(index_t k, const Kind& kind) {
    Random random(7);
    SystemBuilder<T> a(k * k * k, kind.symmetry);
    const auto couple = [&](index_t i, index_t j) {
        const T v = random.value<T>() * real_scalar<T>(0.35) + real_scalar<T>(-0.6);
        a.set(j, i, v);
        if (kind.symmetry == Symmetry::general) a.set(i, j, random.value<T>() * real_scalar<T>(0.7));
    };
    for (index_t v = 0; v < k * k * k; ++v) {
        a.set(v, v, real_scalar<T>(kind.diagonal + (v % 7) * 0.01));
        if (v % k + 1 < k) couple(v, v + 1);
        if (v / k % k + 1 < k) couple(v, v + k);
        if (v / (k * k) + 1 < k) couple(v, v + k * k);
    }
    return a.matrix();
}

template <class T>
Factors<T> factored(const SparseMatrix<T>& a, Factorization kind, const ForcedMapping& mapping,
                    FactorPlace place = FactorPlace::tasks, FactorOptions factor_options = {}) {
    factor_options.place = place;
    AnalysisOptions options;
    options.factorization = kind;
    options.deterministic = true;  // all tasks that can go to the device
    const AnalysisResult analysed = analyze(a, options);
    return factorize(device_session(), remapped(*analysed.analysis, mapping), a, factor_options, &analysed.scaling);
}

}  // namespace frond::test
