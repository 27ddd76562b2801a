// SPDX-License-Identifier: BSD-3-Clause
// poisson2d, poisson3d, grid27: diagonal = number of neighbours of an inner node, neighbours -1.
#include "frond/base/instantiate.hpp"
#include "grid_stencil.hpp"

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

#define FROND_INSTANTIATE(T)                     \
    template Generated<T> poisson2d<T>(index_t); \
    template Generated<T> poisson3d<T>(index_t); \
    template Generated<T> grid27<T>(index_t);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
