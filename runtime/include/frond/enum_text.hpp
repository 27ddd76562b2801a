// SPDX-License-Identifier: BSD-3-Clause
// Every public enumeration as text: the names that options, JSON, the manual and messages share.
#pragma once

#include "frond/analysis/options.hpp"
#include "frond/base/device_vendor.hpp"
#include "frond/base/types.hpp"
#include "frond/reports.hpp"
#include "frond/solver.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace frond {

template <class E>
struct EnumName {
    E value;
    const char* name;
    const char* text;  // what it means, a few words for the manual
};

/// All values of an enumeration, in their order.
template <class E>
std::span<const EnumName<E>> enum_names() noexcept;
template <>
std::span<const EnumName<Symmetry>> enum_names() noexcept;
template <>
std::span<const EnumName<Factorization>> enum_names() noexcept;
template <>
std::span<const EnumName<Operation>> enum_names() noexcept;
template <>
std::span<const EnumName<Layout>> enum_names() noexcept;
template <>
std::span<const EnumName<Triangle>> enum_names() noexcept;
template <>
std::span<const EnumName<OrderingMethod>> enum_names() noexcept;
template <>
std::span<const EnumName<MatchingMode>> enum_names() noexcept;
template <>
std::span<const EnumName<DistributedAnalysis>> enum_names() noexcept;
template <>
std::span<const EnumName<ScalingMethod>> enum_names() noexcept;
template <>
std::span<const EnumName<Pivoting>> enum_names() noexcept;
template <>
std::span<const EnumName<StaleMatching>> enum_names() noexcept;
template <>
std::span<const EnumName<NullPivots>> enum_names() noexcept;
template <>
std::span<const EnumName<SolvePart>> enum_names() noexcept;
template <>
std::span<const EnumName<Krylov>> enum_names() noexcept;
template <>
std::span<const EnumName<SolvePlace>> enum_names() noexcept;
template <>
std::span<const EnumName<FactorPlace>> enum_names() noexcept;
template <>
std::span<const EnumName<FactorStatus>> enum_names() noexcept;
template <>
std::span<const EnumName<SolveStatus>> enum_names() noexcept;
template <>
std::span<const EnumName<DeviceVendor>> enum_names() noexcept;

const char* to_string(Symmetry value) noexcept;
const char* to_string(Factorization value) noexcept;
const char* to_string(Operation value) noexcept;
const char* to_string(Layout value) noexcept;
const char* to_string(Triangle value) noexcept;
const char* to_string(OrderingMethod value) noexcept;
const char* to_string(MatchingMode value) noexcept;
const char* to_string(DistributedAnalysis value) noexcept;
const char* to_string(ScalingMethod value) noexcept;
const char* to_string(StaleMatching value) noexcept;
const char* to_string(NullPivots value) noexcept;
const char* to_string(SolvePart value) noexcept;
const char* to_string(Krylov value) noexcept;
const char* to_string(SolvePlace value) noexcept;
const char* to_string(FactorPlace value) noexcept;
const char* to_string(DeviceVendor value) noexcept;

// to_string of Pivoting, FactorStatus and SolveStatus: declared in reports.hpp.

/// Inverse of to_string; empty when no value has this name.
template <class E>
std::optional<E> from_string(std::string_view name) noexcept {
    for (const EnumName<E>& entry : enum_names<E>())
        if (name == entry.name) return entry.value;
    return std::nullopt;
}

/// "automatic, amd, metis": for messages.
template <class E>
std::string enum_list() {
    std::string list;
    for (const EnumName<E>& entry : enum_names<E>()) list += (list.empty() ? "" : ", ") + std::string(entry.name);
    return list;
}

}  // namespace frond
