// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

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

}  // namespace frond::cli
