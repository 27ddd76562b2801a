// SPDX-License-Identifier: BSD-3-Clause
// h^2 (-Laplace u + v . grad u) with v . grad u ~ sum_d (max(v_d, 0) (u - u_{-d}) - max(-v_d, 0)
// (u_{+d} - u)) / h: a_ij = -1 - h max(+-v_d, 0) for the neighbour upstream or downstream in
// direction d, a_ii = 6 + h sum_d |v_d|, all with v at the row's node.
#include "frond/base/instantiate.hpp"
#include "grid_stencil.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

constexpr double convection = 64;

std::array<double, 3> velocity(detail::Node p, double h) {
    const double x = h * (p.x + 1);
    const double y = h * (p.y + 1);
    return {convection * (0.5 - y), convection * (x - 0.5), convection * 0.25};
}

/// Coefficient of unknown j in the equation of node `row`; j lies at row - o.
double coefficient(detail::Node row, detail::Offset o, double h) {
    const std::array<double, 3> v = velocity(row, h);
    if (detail::is_self(o)) return 6 + h * (std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]));
    // o = +1 in direction d: the unknown lies at row - 1, upstream of a positive v_d.
    const double along = v[0] * o.x + v[1] * o.y + v[2] * o.z;
    return -1 - h * std::max(along, 0.0);
}

}  // namespace

template <class T>
Generated<T> convdiff3d(index_t size) {
    detail::check_size(GeneratorKind::convdiff3d, size);
    const double h = 1.0 / (size + 1);
    return detail::fill_stencil<T>({size, size, size}, detail::stencil(true, false), Symmetry::general,
                                   [h](detail::Node, detail::Node row, detail::Offset o) {
                                       return static_cast<T>(coefficient(row, o, h));
                                   });
}

#define FROND_INSTANTIATE(T) template Generated<T> convdiff3d<T>(index_t);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
