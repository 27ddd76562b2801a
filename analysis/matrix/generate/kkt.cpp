// SPDX-License-Identifier: BSD-3-Clause
// [Q 0 L; 0 cI -I; L -I 0], the optimality system of min 1/2 y^T Q y + c/2 u^T u subject to L y = u
// (Rees, Dollar & Wathen 2010, section 2, with lumped mass). [L, -I] has full row rank and H is
// positive definite on its null space {(y, L y)}, so the matrix is nonsingular (Benzi, Golub &
// Liesen 2005, theorem 3.4).
#include "frond/base/instantiate.hpp"
#include "grid_stencil.hpp"

#include <algorithm>

namespace frond {
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

#define FROND_INSTANTIATE(T) template Generated<T> kkt<T>(index_t);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
