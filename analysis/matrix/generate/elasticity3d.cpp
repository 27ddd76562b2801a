// SPDX-License-Identifier: BSD-3-Clause
// K = sum over hexahedra of int B^T D B, trilinear shape functions, 2 x 2 x 2 Gauss points
// (Hughes 2000, sections 2.9 and 3.5). Every element is the same unit cube, so a block of K depends
// only on which of the eight cubes around its node exist: 27 boundary classes x 14 offsets are
// tabulated.
#include "frond/base/instantiate.hpp"
#include "grid_stencil.hpp"

#include <cmath>

namespace frond {
namespace {

using detail::Node;
using detail::Offset;

constexpr double poisson_ratio = 0.3;
constexpr double lambda = poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
constexpr double mu = 0.5 / (1 + poisson_ratio);

using Block = std::array<std::array<double, 3>, 3>;
using ElementMatrix = std::array<std::array<Block, 8>, 8>;

/// Corner c of the unit cube lies at bit 0 = x, bit 1 = y, bit 2 = z.
constexpr Node corner(int c) { return {c & 1, (c >> 1) & 1, (c >> 2) & 1}; }

/// Gradient of the trilinear shape function of a corner at a point of the unit cube.
std::array<double, 3> shape_gradient(Node c, const std::array<double, 3>& point) {
    const std::array<index_t, 3> at{c.x, c.y, c.z};
    std::array<double, 3> value{};
    std::array<double, 3> slope{};
    for (std::size_t d = 0; d < 3; ++d) {
        value[d] = at[d] != 0 ? point[d] : 1 - point[d];
        slope[d] = at[d] != 0 ? 1 : -1;
    }
    return {slope[0] * value[1] * value[2], value[0] * slope[1] * value[2], value[0] * value[1] * slope[2]};
}

/// K_ab[i][j] = int lambda g_a[i] g_b[j] + mu (g_a[j] g_b[i] + (g_a . g_b) delta_ij).
void add_point(ElementMatrix& k, const std::array<double, 3>& point) {
    constexpr double weight = 0.125;
    for (int a = 0; a < 8; ++a)
        for (int b = 0; b < 8; ++b) {
            const std::array<double, 3> g = shape_gradient(corner(a), point);
            const std::array<double, 3> h = shape_gradient(corner(b), point);
            const double dot = g[0] * h[0] + g[1] * h[1] + g[2] * h[2];
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    k[a][b][i][j] += weight * (lambda * g[i] * h[j] + mu * (g[j] * h[i] + (i == j ? dot : 0)));
        }
}

ElementMatrix element_matrix() {
    ElementMatrix k{};
    const double low = 0.5 - 0.5 / std::sqrt(3.0);
    for (int q = 0; q < 8; ++q) {
        const Node c = corner(q);
        add_point(k, {c.x != 0 ? 1 - low : low, c.y != 0 ? 1 - low : low, c.z != 0 ? 1 - low : low});
    }
    return k;
}

/// Which cubes a node has along one axis: on both sides, only below, only above.
enum Side : int { both_sides, only_below, only_above };

bool has_cube(int side, index_t above) { return side == both_sides || (side == only_above) == (above != 0); }

/// Block between a node of class (sx, sy, sz) and its neighbour at `o`: the sum over the cubes they
/// share.
Block stencil_block(const ElementMatrix& k, int sx, int sy, int sz, Offset o) {
    Block sum{};
    for (int cube = 0; cube < 8; ++cube) {
        const Node above = corner(cube);
        if (!has_cube(sx, above.x) || !has_cube(sy, above.y) || !has_cube(sz, above.z)) continue;
        const Node own{1 - above.x, 1 - above.y, 1 - above.z};  // the node's corner in that cube
        const Node other = own + o;
        if (!detail::Box{2, 2, 2}.holds(other)) continue;
        const Block& part = k[other.x + 2 * other.y + 4 * other.z][own.x + 2 * own.y + 4 * own.z];
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) sum[i][j] += part[i][j];
    }
    return sum;
}

/// Blocks [class][offset] for the offsets of the lower triangle, the node itself first.
std::vector<Block> block_table(const std::vector<Offset>& offsets) {
    const ElementMatrix k = element_matrix();
    std::vector<Block> table;
    table.reserve(27 * offsets.size());
    for (int sz = 0; sz < 3; ++sz)
        for (int sy = 0; sy < 3; ++sy)
            for (int sx = 0; sx < 3; ++sx)
                for (const Offset o : offsets) table.push_back(stencil_block(k, sx, sy, sz, o));
    return table;
}

/// Nodes 0 .. n-1 along an axis; with `clamped` there is one more, fixed, below node 0.
int side_of(index_t at, index_t n, bool clamped) {
    if (at == n - 1) return only_below;
    return at == 0 && !clamped ? only_above : both_sides;
}

/// Appends the three columns of a node.
template <class T>
void append_columns(SparseMatrix<T>& a, const detail::Box& box, Node p, const std::vector<Offset>& offsets,
                    const Block* blocks) {
    for (index_t column = 0; column < 3; ++column) {
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            const Node q = p + offsets[k];
            if (!box.holds(q)) continue;
            for (index_t row = k == 0 ? column : 0; row < 3; ++row) {
                a.pattern.row.push_back(3 * box.number(q) + row);
                a.value.push_back(static_cast<T>(blocks[k][row][column]));
            }
        }
        a.pattern.begin.push_back(static_cast<count_t>(a.pattern.row.size()));
    }
}

}  // namespace

template <class T>
Generated<T> elasticity3d(index_t size) {
    detail::check_size(GeneratorKind::elasticity3d, size);
    const detail::Box box{size, size, size};
    const std::vector<Offset> offsets = detail::stencil(false, true);
    const std::vector<Block> table = block_table(offsets);
    Generated<T> made;
    made.grid = {size, size, size};
    made.dofs = 3;
    SparseMatrix<T>& a = made.matrix;
    a.symmetry = Symmetry::symmetric;
    a.pattern.rows = a.pattern.cols = 3 * box.nodes();
    const std::size_t bound = (9 * offsets.size() - 3) * static_cast<std::size_t>(box.nodes());
    a.pattern.begin.reserve(3 * static_cast<std::size_t>(box.nodes()) + 1);
    a.pattern.row.reserve(bound);
    a.value.reserve(bound);
    a.pattern.begin.push_back(0);
    box.for_each([&](Node p) {
        const int kind = side_of(p.x, size, true) + 3 * (side_of(p.y, size, false) + 3 * side_of(p.z, size, false));
        append_columns(a, box, p, offsets, &table[static_cast<std::size_t>(kind) * offsets.size()]);
    });
    return made;
}

#define FROND_INSTANTIATE(T) template Generated<T> elasticity3d<T>(index_t);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
