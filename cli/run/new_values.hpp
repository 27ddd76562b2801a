// SPDX-License-Identifier: BSD-3-Clause
// Other values on the pattern of a matrix, as a time step or a Newton step brings them: for
// measuring.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace frond::cli {

/// Uniform in [-1, 1): SplitMix64 (Steele, Lea & Flood 2014, figure 17), top 53 bits. The same
/// numbers on every run and machine.
class Uniform {
public:
    explicit Uniform(std::uint64_t seed = 1) : state_(seed) {}

    /// Leaves out so many numbers.
    void skip(std::uint64_t numbers) { state_ += numbers * 0x9e3779b97f4a7c15u; }

    double next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        return static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
    }

private:
    std::uint64_t state_;
};

/// How the values A' come from A:
///   congruence  A' = D A D, d_i uniform in [0.9, 1.1): what is definite stays so, and the inertia
///   stays factors     a'_ij = a_ij 2^e_ij, e_ij uniform in [-3, 3), one for each stored entry
///   graded      A' = D A D, d_i = 2^e_i, e_i whole and uniform in -12 .. 12: the scaling of A does
///   not suit A'
enum class ValueChange : std::uint8_t { congruence, factors, graded };

/// The values of A' in the order of a.value; A' has the symmetry of A. `round` = 1, 2, ...: each
/// its own values, the same on every run and machine.
template <class T>
std::vector<T> changed_values(const SparseMatrix<T>& a, ValueChange change, std::uint64_t round);

const char* to_string(ValueChange change) noexcept;

/// @throws InvalidArgument  none of the three names; the message begins with `option`
ValueChange value_change_from_string(const std::string& text, const std::string& option);

}  // namespace frond::cli
