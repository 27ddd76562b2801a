// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "grid_stencil.hpp"

#include <fmt/format.h>

#include <charconv>

namespace frond {
namespace {

// largest: N^2 or N^3 (times unknowns a node) <= 2^31 - 1.
constexpr std::array<GeneratorInfo, 7> infos{{
    {GeneratorKind::poisson2d, "poisson2d", "5-point Laplacian on N x N nodes; symmetric positive definite", false, 1,
     46340},
    {GeneratorKind::poisson3d, "poisson3d", "7-point Laplacian on N^3 nodes; symmetric positive definite", false, 1,
     1290},
    {GeneratorKind::grid27, "grid27", "27-point Laplacian on N^3 nodes; symmetric positive definite", false, 1, 1290},
    {GeneratorKind::convdiff3d, "convdiff3d", "convection-diffusion, 7-point upwind differences on N^3 nodes; general",
     false, 1, 1290},
    {GeneratorKind::helmholtz3d, "helmholtz3d",
     "Helmholtz equation, 27-point, 8 absorbing layers, N^3 nodes; complex symmetric", true, 1, 1290},
    {GeneratorKind::elasticity3d, "elasticity3d",
     "linear elasticity, trilinear hexahedra, N^3 nodes of 3 unknowns; symmetric positive definite", false, 2, 894},
    {GeneratorKind::kkt, "kkt",
     "saddle point [H A^T; A 0] of optimal control on N^3 nodes, order 3 N^3; symmetric indefinite", false, 1, 894},
}};

constexpr std::string_view prefix = "generate:";

const GeneratorInfo& info_of(std::string_view name) {
    std::string names;
    for (const GeneratorInfo& info : infos) {
        if (name == info.name) return info;
        names += names.empty() ? info.name : fmt::format(", {}", info.name);
    }
    throw InvalidArgument(fmt::format("generator '{}' is unknown; the kinds are {}", name, names));
}

}  // namespace

namespace detail {

void check_size(GeneratorKind kind, std::int64_t size) {
    const GeneratorInfo& info = generator_info(kind);
    if (size < info.smallest || size > info.largest)
        throw InvalidArgument(
            fmt::format("size {} of generator {} is outside {} .. {}", size, info.name, info.smallest, info.largest));
}

}  // namespace detail

std::span<const GeneratorInfo> generators() { return infos; }

const GeneratorInfo& generator_info(GeneratorKind kind) { return infos.at(static_cast<std::size_t>(kind)); }

GeneratorRequest parse_generator(std::string_view kind, std::string_view size) {
    const GeneratorInfo& info = info_of(kind);
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(size.data(), size.data() + size.size(), number);
    if (failure != std::errc() || end != size.data() + size.size())
        throw InvalidArgument(fmt::format("size '{}' of generator {} is not a whole number in {} .. {}", size,
                                          info.name, info.smallest, info.largest));
    detail::check_size(info.kind, number);
    return {info.kind, static_cast<index_t>(number)};
}

std::optional<GeneratorRequest> parse_generator(std::string_view text) {
    if (text.substr(0, prefix.size()) != prefix) return std::nullopt;
    const std::string_view rest = text.substr(prefix.size());
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos)
        throw InvalidArgument(
            fmt::format("'{}' lacks the size; write generate:KIND:SIZE, e.g. generate:poisson3d:40", text));
    return parse_generator(rest.substr(0, colon), rest.substr(colon + 1));
}

AnyGenerated generate(const GeneratorRequest& request) {
    switch (request.kind) {
        case GeneratorKind::poisson2d:
            return poisson2d<double>(request.size);
        case GeneratorKind::poisson3d:
            return poisson3d<double>(request.size);
        case GeneratorKind::grid27:
            return grid27<double>(request.size);
        case GeneratorKind::convdiff3d:
            return convdiff3d<double>(request.size);
        case GeneratorKind::helmholtz3d:
            return helmholtz3d<std::complex<double>>(request.size);
        case GeneratorKind::elasticity3d:
            return elasticity3d<double>(request.size);
        case GeneratorKind::kkt:
            return kkt<double>(request.size);
    }
    throw InvalidArgument("the generator's kind is not one of the enum's values");
}

}  // namespace frond
