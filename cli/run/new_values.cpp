// SPDX-License-Identifier: BSD-3-Clause
#include "new_values.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"

#include <cmath>

namespace frond::cli {
namespace {

constexpr double largest_factor_exponent = 3;
constexpr double largest_grade_exponent = 12;

double diagonal_entry(ValueChange change, Uniform& uniform) {
    if (change == ValueChange::congruence) return 1 + 0.1 * uniform.next();
    return std::exp2(std::round(largest_grade_exponent * uniform.next()));
}

// D A D.
template <class T>
void scale_both_sides(const SparseMatrix<T>& a, const std::vector<double>& d, std::vector<T>& value) {
    for (std::size_t j = 0; j < d.size(); ++j)
        for (auto e = static_cast<std::size_t>(a.pattern.begin[j]);
             e < static_cast<std::size_t>(a.pattern.begin[j + 1]); ++e)
            value[e] *= static_cast<real_t<T>>(d[static_cast<std::size_t>(a.pattern.row[e])] * d[j]);
}

}  // namespace

template <class T>
std::vector<T> changed_values(const SparseMatrix<T>& a, ValueChange change, std::uint64_t round) {
    Uniform uniform(0x5851f42d4c957f2du * round);  // seeds far apart
    std::vector<T> value = a.value;
    if (change == ValueChange::factors) {
        for (T& v : value) v *= static_cast<real_t<T>>(std::exp2(largest_factor_exponent * uniform.next()));
        return value;
    }
    std::vector<double> d(static_cast<std::size_t>(a.rows()));
    for (double& d_i : d) d_i = diagonal_entry(change, uniform);
    scale_both_sides(a, d, value);
    return value;
}

const char* to_string(ValueChange change) noexcept {
    switch (change) {
        case ValueChange::congruence:
            return "congruence";
        case ValueChange::factors:
            return "factors";
        case ValueChange::graded:
            return "graded";
    }
    return "";
}

ValueChange value_change_from_string(const std::string& text, const std::string& option) {
    for (const ValueChange c : {ValueChange::congruence, ValueChange::factors, ValueChange::graded})
        if (text == to_string(c)) return c;
    throw InvalidArgument(option + ": '" + text + "' is none of congruence, factors, graded");
}

#define FROND_INSTANTIATE(T) template std::vector<T> changed_values(const SparseMatrix<T>&, ValueChange, std::uint64_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::cli
