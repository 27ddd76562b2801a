// SPDX-License-Identifier: BSD-3-Clause
// Matrices from stencils on a box of nodes, column by column.
#pragma once

#include "frond/matrix/generate.hpp"

#include <array>
#include <span>
#include <vector>

namespace frond::detail {

struct Node {
    index_t x, y, z;
};

/// Offset of a neighbour; lists of them ascend in (z, y, x), as node numbers do.
using Offset = Node;

constexpr bool is_self(Offset o) { return o.x == 0 && o.y == 0 && o.z == 0; }

/// Neighbours within distance 1: all 27 (faces_only: the 7 that share a face), or from the node
/// itself on.
inline std::vector<Offset> stencil(bool faces_only, bool lower_only, bool flat = false) {
    std::vector<Offset> offsets;
    for (index_t z = flat ? 0 : -1; z <= (flat ? 0 : 1); ++z)
        for (index_t y = -1; y <= 1; ++y)
            for (index_t x = -1; x <= 1; ++x) {
                const bool face = x * x + y * y + z * z <= 1;
                const bool lower = z > 0 || (z == 0 && (y > 0 || (y == 0 && x >= 0)));
                if ((face || !faces_only) && (lower || !lower_only)) offsets.push_back({x, y, z});
            }
    return offsets;
}

struct Box {
    index_t nx, ny, nz;

    index_t nodes() const { return nx * ny * nz; }

    index_t number(Node p) const { return p.x + nx * (p.y + ny * p.z); }

    bool holds(Node p) const { return p.x >= 0 && p.x < nx && p.y >= 0 && p.y < ny && p.z >= 0 && p.z < nz; }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (index_t z = 0; z < nz; ++z)
            for (index_t y = 0; y < ny; ++y)
                for (index_t x = 0; x < nx; ++x) visit(Node{x, y, z});
    }
};

inline Node operator+(Node p, Offset o) { return {p.x + o.x, p.y + o.y, p.z + o.z}; }

/// One unknown a node: entry(column node, row node, offset) = a_ij for every row in the stencil.
template <class T, class Entry>
Generated<T> fill_stencil(Box box, const std::vector<Offset>& offsets, Symmetry symmetry, Entry&& entry) {
    Generated<T> made;
    made.grid = {box.nx, box.ny, box.nz};
    Pattern& p = made.matrix.pattern;
    made.matrix.symmetry = symmetry;
    p.rows = p.cols = box.nodes();
    const std::size_t bound = offsets.size() * static_cast<std::size_t>(box.nodes());
    p.begin.reserve(static_cast<std::size_t>(box.nodes()) + 1);
    p.begin.push_back(0);
    p.row.resize(bound);
    made.matrix.value.resize(bound);
    count_t at = 0;
    box.for_each([&](Node column) {
        for (const Offset o : offsets) {
            const Node row = column + o;
            if (!box.holds(row)) continue;
            p.row[at] = box.number(row);
            made.matrix.value[at++] = entry(column, row, o);
        }
        p.begin.push_back(at);
    });
    p.row.resize(at);
    made.matrix.value.resize(at);
    return made;
}

/// Throws InvalidArgument when size is outside the range of the kind.
void check_size(GeneratorKind kind, std::int64_t size);

}  // namespace frond::detail
