// SPDX-License-Identifier: BSD-3-Clause
// Matrices of model problems, made in canonical form without a detour over triplets.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace frond {

/// A matrix and the grid it lives on: unknown = dof + dofs * (x + nx * (y + ny * z)).
template <class T>
struct Generated {
    SparseMatrix<T> matrix;
    std::array<index_t, 3> grid = {0, 0, 0};  // {nx, ny, nz}; {0, 0, 0}: not a grid
    index_t dofs = 1;
};

using AnyGenerated = std::variant<Generated<double>, Generated<std::complex<double>>>;

enum class GeneratorKind : std::uint8_t {
    poisson2d,
    poisson3d,
    grid27,
    convdiff3d,
    helmholtz3d,
    elasticity3d,
    kkt,
};

struct GeneratorInfo {
    GeneratorKind kind;
    const char* name;  // as in generate:NAME:SIZE
    const char* description;  // one line
    bool is_complex;
    index_t smallest;
    index_t largest;  // order and entries stay within what can be numbered
};

/// All kinds, in the order of the enum.
std::span<const GeneratorInfo> generators();
const GeneratorInfo& generator_info(GeneratorKind kind);

struct GeneratorRequest {
    GeneratorKind kind = GeneratorKind::poisson2d;
    index_t size = 1;
};

/// "generate:KIND:SIZE" as given in place of a file name; empty when text does not start with
/// "generate:". Throws InvalidArgument for an unknown kind (listing the kinds) or a size out of
/// range.
std::optional<GeneratorRequest> parse_generator(std::string_view text);
/// KIND and SIZE apart; same errors.
GeneratorRequest parse_generator(std::string_view kind, std::string_view size);

/// The matrix of a request in double or complex<double>, as the kind has it.
AnyGenerated generate(const GeneratorRequest& request);

/// 5-point Laplacian on an N x N grid, Dirichlet boundary: diagonal 4, neighbours -1. Symmetric,
/// SPD.
template <class T>
Generated<T> poisson2d(index_t size);

/// 7-point Laplacian on N^3 nodes: diagonal 6, neighbours -1. Symmetric, SPD.
template <class T>
Generated<T> poisson3d(index_t size);

/// 27-point Laplacian on N^3 nodes: diagonal 26, neighbours -1. Symmetric, SPD.
template <class T>
Generated<T> grid27(index_t size);

/// -Laplace u + v . grad u on the unit cube, h = 1/(N + 1), first-order upwind differences, times
/// h^2; v(x, y, z) = 64 (1/2 - y, x - 1/2, 1/4): a rotation around the axis with a rise along it.
/// General, symmetric pattern, an M-matrix.
template <class T>
Generated<T> convdiff3d(index_t size);

/// Visco-acoustic Helmholtz equation, 27 points, 8 absorbing (PML) layers on every face, 15 points
/// per wavelength (ClausGhysels2024, eq. 4). Complex symmetric, not Hermitian.
template <class T>
Generated<T> helmholtz3d(index_t size);

/// Linear elasticity on trilinear hexahedra, N^3 free nodes of 3 displacements, Young's modulus 1,
/// Poisson's ratio 0.3, the face next to x = 0 clamped. Symmetric, SPD, 81 entries a row.
template <class T>
Generated<T> elasticity3d(index_t size);

/// [H A^T; A 0] of the optimal control of poisson3d on N^3 nodes, order 3 N^3:
/// unknowns (state y, control u, multiplier), H = diag(Q, I/100), A = [L, -I], L = poisson3d;
/// Q = I on the nodes z < max(1, N/2), else 0 and not stored. Symmetric indefinite, nonsingular.
template <class T>
Generated<T> kkt(index_t size);

}  // namespace frond
