// SPDX-License-Identifier: BSD-3-Clause
// Systems on regular grids.
#include "frond/base/instantiate.hpp"
#include "grid_stencil.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace frond {
namespace {

template <class T>
Generated<T> laplacian(detail::Box box, const std::vector<detail::Offset>& lower, T diagonal) {
    return detail::fill_stencil<T>(box, lower, Symmetry::symmetric,
                                   [diagonal](detail::Node, detail::Node, detail::Offset o) {
                                       return detail::is_self(o) ? diagonal : T(-1);
                                   });
}

}  // namespace

template <class T>
Generated<T> poisson2d(index_t size) {
    detail::check_size(GeneratorKind::poisson2d, size);
    return laplacian({size, size, 1}, detail::stencil(true, true, true), T(4));
}

template <class T>
Generated<T> poisson3d(index_t size) {
    detail::check_size(GeneratorKind::poisson3d, size);
    return laplacian({size, size, size}, detail::stencil(true, true), T(6));
}

template <class T>
Generated<T> grid27(index_t size) {
    detail::check_size(GeneratorKind::grid27, size);
    return laplacian({size, size, size}, detail::stencil(false, true), T(26));
}

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

namespace {

template <class T>
struct Columns {
    SparseMatrix<T>& a;

    void push(index_t row, T value) {
        a.pattern.row.push_back(row);
        a.value.push_back(value);
    }

    void close() { a.pattern.begin.push_back(static_cast<count_t>(a.pattern.row.size())); }
};

}  // namespace

template <class T>
Generated<T> kkt(index_t size) {
    detail::check_size(GeneratorKind::kkt, size);
    const detail::Box box{size, size, size};
    const index_t nodes = box.nodes();
    const index_t observed = std::max<index_t>(1, size / 2);
    const std::vector<detail::Offset> offsets = detail::stencil(true, false);
    Generated<T> made;
    SparseMatrix<T>& a = made.matrix;
    a.symmetry = Symmetry::symmetric;
    a.pattern.rows = a.pattern.cols = 3 * nodes;
    a.pattern.begin.reserve(3 * static_cast<std::size_t>(nodes) + 1);
    a.pattern.begin.push_back(0);
    a.pattern.row.reserve(10 * static_cast<std::size_t>(nodes));
    a.value.reserve(10 * static_cast<std::size_t>(nodes));
    Columns<T> columns{a};
    box.for_each([&](detail::Node p) {
        if (p.z < observed) columns.push(box.number(p), T(1));
        for (const detail::Offset o : offsets)
            if (box.holds(p + o)) columns.push(2 * nodes + box.number(p + o), detail::is_self(o) ? T(6) : T(-1));
        columns.close();
    });
    for (index_t k = 0; k < nodes; ++k) {
        columns.push(nodes + k, T(real_t<T>(0.01)));
        columns.push(2 * nodes + k, T(-1));
        columns.close();
    }
    for (index_t k = 0; k < nodes; ++k) columns.close();
    return made;
}

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

#define FROND_INSTANTIATE(T)                      \
    template Generated<T> poisson2d<T>(index_t);  \
    template Generated<T> poisson3d<T>(index_t);  \
    template Generated<T> grid27<T>(index_t);     \
    template Generated<T> convdiff3d<T>(index_t); \
    template Generated<T> kkt<T>(index_t);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
