// SPDX-License-Identifier: BSD-3-Clause
// A = -(D_x M_y M_z + M_x D_y M_z + M_x M_y D_z) - (k h)^2 M_x M_y M_z   (Kronecker products), from
//   sum_d d/dx_d (1/rho) dp/dx_d + omega^2 / kappa^2 p = -f, kappa = v (1 - i/(2 q)), rho = 1
// (ClausGhysels2024, eq. 4), times -h^2. Along one axis, with xi = 1 + i gamma / omega the
// stretching of the absorbing layers (Operto et al. 2007, eq. 5) and staggered half points:
//   D = d/ds (1/xi) d/ds : 1/xi_{i +- 1/2} next to the diagonal, minus their sum on the diagonal,
//   M = xi (1, 10, 1) / 12 : Numerov's mass, which makes the 27 points fourth order where xi = 1.
// Each row is multiplied by xi_x xi_y xi_z; that is what makes A symmetric.
#include "frond/base/instantiate.hpp"
#include "grid_stencil.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace frond {
namespace {

using Complex = std::complex<double>;

constexpr double points_per_wavelength = 15;
constexpr double quality_factor = 1e4;
constexpr double layer_reflection = 1e-3;  // of a wave at normal incidence
constexpr index_t most_layers = 8;

/// Entries of D and M between node i and i + o, o = -1, 0, 1.
struct AxisRow {
    std::array<Complex, 3> second_derivative;
    std::array<Complex, 3> mass;
};

/// xi at s, nodes being 0 .. size - 1; p = 0 at s = -1 and s = size.
/// gamma = c (1 - cos(pi t / 2)), t = depth in the layer; c from exp(-2 int gamma / v) =
/// reflection.
Complex stretching(double s, index_t size) {
    const index_t layers = std::min(most_layers, (size - 1) / 2);
    const double depth = std::max({0.0, layers - s, s - (size - 1 - layers)});
    const double thickness = layers + 1;
    const double wave_number = 2 * std::numbers::pi / points_per_wavelength;
    const double integral = thickness * (1 - 2 / std::numbers::pi);
    const double amplitude = -std::log(layer_reflection) / (2 * wave_number * integral);
    return {1, amplitude * (1 - std::cos(0.5 * std::numbers::pi * depth / thickness))};
}

std::vector<AxisRow> axis_rows(index_t size) {
    std::vector<AxisRow> rows(static_cast<std::size_t>(size));
    for (index_t i = 0; i < size; ++i) {
        const Complex below = stretching(i - 0.5, size);
        const Complex at = stretching(i, size);
        const Complex above = stretching(i + 0.5, size);
        rows[i].second_derivative = {1.0 / below, -(1.0 / below + 1.0 / above), 1.0 / above};
        rows[i].mass = {below / 12.0, at * (10.0 / 12.0), above / 12.0};
    }
    return rows;
}

Complex coefficient(const AxisRow& x, const AxisRow& y, const AxisRow& z, detail::Offset o, Complex kh_squared) {
    const Complex mx = x.mass[o.x + 1];
    const Complex my = y.mass[o.y + 1];
    const Complex mz = z.mass[o.z + 1];
    return -(x.second_derivative[o.x + 1] * my * mz + mx * y.second_derivative[o.y + 1] * mz +
             mx * my * z.second_derivative[o.z + 1]) -
           kh_squared * mx * my * mz;
}

}  // namespace

template <class T>
Generated<T> helmholtz3d(index_t size) {
    detail::check_size(GeneratorKind::helmholtz3d, size);
    const std::vector<AxisRow> axis = axis_rows(size);
    const double kh_real = 2 * std::numbers::pi / points_per_wavelength;
    const Complex kh = kh_real / Complex(1, -0.5 / quality_factor);
    return detail::fill_stencil<T>({size, size, size}, detail::stencil(false, true), Symmetry::symmetric,
                                   [&, kh_squared = kh * kh](detail::Node column, detail::Node, detail::Offset o) {
                                       return static_cast<T>(
                                           coefficient(axis[column.x], axis[column.y], axis[column.z], o, kh_squared));
                                   });
}

#define FROND_INSTANTIATE(T) template Generated<T> helmholtz3d<T>(index_t);
FROND_IF_C(FROND_INSTANTIATE)
FROND_INSTANTIATE(std::complex<double>)
#undef FROND_INSTANTIATE

}  // namespace frond
