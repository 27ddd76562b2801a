// SPDX-License-Identifier: BSD-3-Clause
// Sums over the rows of |A| by the kernel itself, on the device that the host plays.
#include "kernels/substitution/refinement.hpp"

#include "frond/base/vector_index.hpp"
#include "kernels/double_bits.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Rows of 0 to 40 entries, more rows than a block of threads has.
template <class T>
struct Rows {
    static constexpr index_t n = 75, longest = 40;
    std::vector<count_t> begin{0};
    std::vector<index_t> column;
    std::vector<T> value;
    std::vector<double> inverse_scale;

    Rows() {
        Random random(5);
        for (index_t k = 0; k < n; ++k) {
            for (index_t e = 0; e < k * 7 % (longest + 1); ++e) {
                column.push_back(random.below(n));
                value.push_back(random.value<T>());
            }
            begin.push_back(static_cast<count_t>(column.size()));
            inverse_scale.push_back(std::ldexp(1.0, k % 9 - 4));
        }
    }

    double sum(index_t k, bool is_scaled) const {
        double all = 0;
        for (count_t e = begin[at(k)]; e < begin[at(k) + 1]; ++e)
            all += std::abs(value[at(e)]) / (is_scaled ? inverse_scale[at(column[at(e)])] : 1.0);
        return all;
    }
};

template <class T>
struct Sums {
    std::vector<real_t<T>> plain, scaled;
    double norm;
};

template <class T>
Sums<T> by_kernel(const Rows<T>& rows, bool is_scaled) {
    using S = gpu::DeviceScalar<T>;
    gpu::SystemView<S> view{};
    view.n = Rows<T>::n;
    view.row_begin = rows.begin.data();
    view.column = rows.column.data();
    view.value = reinterpret_cast<const S*>(rows.value.data());
    view.inverse_solution_scale = is_scaled ? rows.inverse_scale.data() : nullptr;
    Sums<T> sums{std::vector<real_t<T>>(at(view.n), -1), std::vector<real_t<T>>(at(is_scaled ? view.n : 0), -1), 0};
    unsigned long long bits = 99;
    gpu::sum_rows<S>({}, view, sums.plain.data(), is_scaled ? sums.scaled.data() : nullptr, &bits);
    sums.norm = gpu::double_of_bits(bits);
    return sums;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("rows are added up, with scales and without", T, sum_rows) {
    const Rows<T> rows;
    for (const bool is_scaled : {false, true}) {
        CAPTURE(is_scaled);
        const Sums<T> sums = by_kernel(rows, is_scaled);
        double largest = 0;
        for (index_t k = 0; k < Rows<T>::n; ++k) {
            CAPTURE(k);
            const double plain = rows.sum(k, false), scaled = rows.sum(k, true);
            // Moduli, products with scales, and their sum.
            const double bound = rounding_bound<T>(Rows<T>::longest + 2);
            CHECK(std::abs(sums.plain[at(k)] - plain) <= bound * plain);
            if (is_scaled) CHECK(std::abs(sums.scaled[at(k)] - scaled) <= bound * scaled);
            largest = std::max(largest, static_cast<double>(sums.plain[at(k)]));
        }
        CHECK(sums.norm == largest);
    }
}
TEST_CASE_TEMPLATE_APPLY(sum_rows, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a number that is none makes the norm none", T, sum_of_nan) {
    Rows<T> rows;
    rows.value[17] = T(std::numeric_limits<real_t<T>>::quiet_NaN());
    CHECK(std::isnan(by_kernel(rows, false).norm));
}
TEST_CASE_TEMPLATE_APPLY(sum_of_nan, Scalars);
