// SPDX-License-Identifier: BSD-3-Clause
#include "frond/enum_text.hpp"

#include <array>

namespace frond {
namespace {

constexpr std::array<EnumName<Symmetry>, 4> symmetries{{
    {Symmetry::general, "general", "no symmetry known"},
    {Symmetry::symmetric, "symmetric", "A = A^T"},
    {Symmetry::hermitian, "hermitian", "A = A^H"},
    {Symmetry::skew_symmetric, "skew_symmetric", "A = -A^T"},
}};

constexpr std::array<EnumName<Factorization>, 5> factorizations{{
    {Factorization::automatic, "automatic",
     "`llt` when the diagonal allows it (`ldlt` follows if a pivot is not surely positive), else `ldlt` or "
     "`ldlh` when A is symmetric or Hermitian, else `lu`"},
    {Factorization::llt, "llt", "L L^H of a positive definite matrix"},
    {Factorization::ldlt, "ldlt", "L D L^T of a symmetric matrix, 1x1 and 2x2 pivots"},
    {Factorization::ldlh, "ldlh", "L D L^H of a Hermitian matrix, 1x1 and 2x2 pivots"},
    {Factorization::lu, "lu", "L U of any square matrix"},
}};

constexpr std::array<EnumName<Operation>, 3> operations{{
    {Operation::none, "none", "A X = B"},
    {Operation::transpose, "transpose", "A^T X = B"},
    {Operation::adjoint, "adjoint", "A^H X = B"},
}};

constexpr std::array<EnumName<Layout>, 2> layouts{{
    {Layout::columns, "columns", "compressed columns"},
    {Layout::rows, "rows", "compressed rows"},
}};

constexpr std::array<EnumName<Triangle>, 3> triangles{{
    {Triangle::both, "both", "both triangles are stored"},
    {Triangle::lower, "lower", "row >= column only"},
    {Triangle::upper, "upper", "row <= column only"},
}};

constexpr std::array<EnumName<OrderingMethod>, 9> orderings{{
    {OrderingMethod::automatic, "automatic",
     "`nested_dissection` or `amd`, by the predicted time on this machine; `geometric` where "
     "`grid` is given and it is cheaper"},
    {OrderingMethod::amd, "amd", "approximate minimum degree"},
    {OrderingMethod::nested_dissection, "nested_dissection", "nested dissection by Frond's own separators, on threads"},
    {OrderingMethod::metis, "metis", "nested dissection by METIS"},
    {OrderingMethod::scotch, "scotch", "nested dissection by Scotch"},
    {OrderingMethod::geometric, "geometric", "nested dissection of the grid given by `grid`"},
    {OrderingMethod::natural, "natural", "the order of the matrix"},
    {OrderingMethod::user, "user", "`user_order`, given by the caller"},
    {OrderingMethod::ptscotch, "ptscotch",
     "nested dissection by PT-Scotch, on all ranks of the session's communicator; other sessions refuse it"},
}};

constexpr std::array<EnumName<MatchingMode>, 3> matchings{{
    {MatchingMode::automatic, "automatic", "unless the diagonal is large or A is definite"},
    {MatchingMode::on, "on", "always"},
    {MatchingMode::off, "off", "never"},
}};

constexpr std::array<EnumName<DistributedAnalysis>, 3> distributed_analyses{{
    {DistributedAnalysis::automatic, "automatic", "where A does not fit into the memory of rank 0"},
    {DistributedAnalysis::on, "on", "always"},
    {DistributedAnalysis::off, "off", "never: rank 0 has A and makes the analysis"},
}};

constexpr std::array<EnumName<ScalingMethod>, 4> scalings{{
    {ScalingMethod::automatic, "automatic", "`matching` where A was matched, else `equilibrate`"},
    {ScalingMethod::matching, "matching", "from the duals of the matching"},
    {ScalingMethod::equilibrate, "equilibrate", "rows and columns of norm about 1"},
    {ScalingMethod::none, "none", "no scaling"},
}};

constexpr std::array<EnumName<Pivoting>, 4> pivotings{{
    {Pivoting::automatic, "automatic", "`none` for L L^H, `threshold` otherwise"},
    {Pivoting::none, "none",
     "L L^H; else search inside the diagonal block only, and nothing raised: for quasi-definite matrices"},
    {Pivoting::static_pivots, "static", "search inside the diagonal block, small pivots raised and counted"},
    {Pivoting::threshold, "threshold",
     "no entry of L above 1 / pivot_threshold; columns without such a pivot are delayed"},
}};

constexpr std::array<EnumName<StaleMatching>, 2> stale_matchings{{
    {StaleMatching::keep, "keep", "report it and go on"},
    {StaleMatching::rematch, "rematch", "analyse again with the new values"},
}};

constexpr std::array<EnumName<NullPivots>, 2> null_pivot_rules{{
    {NullPivots::zero, "zero", "report them; their components of a solution are 0"},
    {NullPivots::error, "error", "stop with the error `singular_matrix`, which names them"},
}};

constexpr std::array<EnumName<SolvePart>, 4> solve_parts{{
    {SolvePart::all, "all", "the whole solve, with refinement"},
    {SolvePart::forward, "forward", "with L alone"},
    {SolvePart::diagonal, "diagonal", "with D alone"},
    {SolvePart::backward, "backward", "with L^T, L^H or U alone"},
}};

constexpr std::array<EnumName<Krylov>, 2> krylovs{{
    {Krylov::automatic, "automatic", "GMRES(30) when refinement stalls above what is accepted"},
    {Krylov::off, "off", "refinement only"},
}};
constexpr std::array<EnumName<FactorPlace>, 3> factor_places{{
    {FactorPlace::automatic, "automatic", "the whole tree at once on the device where it fits and pays, else by tasks"},
    {FactorPlace::tasks, "tasks", "by tasks, on cores and devices"},
    {FactorPlace::device, "device", "the whole tree at once on the device, or an error that says why not"},
}};
constexpr std::array<EnumName<SolvePlace>, 3> solve_places{{
    {SolvePlace::automatic, "automatic", "on the device where the factors fit there and it pays"},
    {SolvePlace::host, "host", "on the cores"},
    {SolvePlace::device, "device", "on the device, or an error that says why not"},
}};

constexpr std::array<EnumName<FactorStatus>, 5> factor_statuses{{
    {FactorStatus::success, "success", "every pivot is as it came"},
    {FactorStatus::perturbed, "perturbed", "small pivots were raised; the solve repairs"},
    {FactorStatus::singular, "singular", "null pivots were met"},
    {FactorStatus::not_positive_definite, "not_positive_definite",
     "L L^H met a pivot <= 0, or one that rounding may have left"},
    {FactorStatus::overflowed, "overflowed", "a pivot is not finite"},
}};

constexpr std::array<EnumName<SolveStatus>, 3> solve_statuses{{
    {SolveStatus::converged, "converged", "the backward error asked for was reached"},
    {SolveStatus::not_converged, "not_converged", "the backward error is worse than asked"},
    {SolveStatus::not_measured, "not_measured", "a part of a solve, which has no backward error"},
}};

// Vendors have the names of their runtimes, as programmers know them.
constexpr std::array<EnumName<DeviceVendor>, 4> device_vendors{{
    {DeviceVendor::none, "", "none"},
    {DeviceVendor::nvidia, "CUDA", "NVIDIA cards"},
    {DeviceVendor::amd, "HIP", "AMD cards"},
    {DeviceVendor::emulated, "emulated", "a device that the host plays, for tests"},
}};

template <class E>
const char* name_of(E value) noexcept {
    for (const EnumName<E>& entry : enum_names<E>())
        if (entry.value == value) return entry.name;
    return "unknown";
}

}  // namespace

#define FROND_ENUM_TEXT(E, table)                        \
    template <>                                          \
    std::span<const EnumName<E>> enum_names() noexcept { \
        return table;                                    \
    }                                                    \
    const char* to_string(E value) noexcept { return name_of(value); }

FROND_ENUM_TEXT(Symmetry, symmetries)
FROND_ENUM_TEXT(Factorization, factorizations)
FROND_ENUM_TEXT(Operation, operations)
FROND_ENUM_TEXT(Layout, layouts)
FROND_ENUM_TEXT(Triangle, triangles)
FROND_ENUM_TEXT(OrderingMethod, orderings)
FROND_ENUM_TEXT(MatchingMode, matchings)
FROND_ENUM_TEXT(DistributedAnalysis, distributed_analyses)
FROND_ENUM_TEXT(ScalingMethod, scalings)
FROND_ENUM_TEXT(Pivoting, pivotings)
FROND_ENUM_TEXT(StaleMatching, stale_matchings)
FROND_ENUM_TEXT(NullPivots, null_pivot_rules)
FROND_ENUM_TEXT(SolvePart, solve_parts)
FROND_ENUM_TEXT(Krylov, krylovs)
FROND_ENUM_TEXT(FactorPlace, factor_places)
FROND_ENUM_TEXT(SolvePlace, solve_places)
FROND_ENUM_TEXT(FactorStatus, factor_statuses)
FROND_ENUM_TEXT(SolveStatus, solve_statuses)
FROND_ENUM_TEXT(DeviceVendor, device_vendors)

#undef FROND_ENUM_TEXT

}  // namespace frond
