// SPDX-License-Identifier: BSD-3-Clause
#include "dense_problem.hpp"
#include "values/uniform.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <charconv>

namespace frond::cli {
namespace {

constexpr std::string_view dense_prefix = "generate:";
constexpr const char* dense_kinds = "random, symmetric, definite, hilbert, wilkinson";

double& entry_at(DenseMatrix<double>& a, index_t i, index_t j) {
    return a.value[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(a.rows)];
}

/// a_ij = 1 / (i + j + 1), of enormous condition.
void fill_hilbert(DenseMatrix<double>& a) {
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = 0; i < a.rows; ++i) entry_at(a, i, j) = 1.0 / (static_cast<double>(i) + j + 1);
}

/// Ones on the diagonal and in the last column, -1 below the diagonal: pivots of partial pivoting grow to 2^(n - 1)
/// (Wilkinson 1961).
void fill_wilkinson(DenseMatrix<double>& a) {
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = j; i < a.rows; ++i) entry_at(a, i, j) = i == j ? 1 : -1;
    for (index_t i = 0; i < a.rows; ++i) entry_at(a, i, a.cols - 1) = 1;
}

index_t order_of(std::string_view text) {
    constexpr index_t largest = 1 << 20;
    index_t n = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (failure != std::errc() || end != text.data() + text.size() || n < 1 || n > largest)
        throw InvalidArgument(fmt::format("'{}' is no order of a dense matrix; give 1 .. {}", text, largest));
    return n;
}

}  // namespace

bool is_dense_generator(const std::string& name) { return name.starts_with(dense_prefix); }

DenseMatrix<double> generate_dense(const std::string& name, Symmetry& symmetry) {
    const std::string_view rest = std::string_view(name).substr(dense_prefix.size());
    const std::size_t colon = rest.find(':');
    const std::string_view kind = rest.substr(0, colon);
    const bool known =
        kind == "random" || kind == "symmetric" || kind == "definite" || kind == "hilbert" || kind == "wilkinson";
    if (!known)
        throw InvalidArgument(
            fmt::format("{}: there is no dense generator '{}'; the kinds are {} (sparse ones are for "
                        "frond solve)",
                        name, kind, dense_kinds));
    const index_t n = order_of(colon == std::string_view::npos ? "" : rest.substr(colon + 1));
    DenseMatrix<double> a{n, n, std::vector<double>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0)};
    symmetry = kind == "random" || kind == "wilkinson" ? Symmetry::general : Symmetry::symmetric;
    if (kind == "hilbert") fill_hilbert(a);
    if (kind == "wilkinson") fill_wilkinson(a);
    if (kind == "hilbert" || kind == "wilkinson") return a;
    Uniform uniform(2);  // random right-hand sides have another seed
    if (symmetry == Symmetry::general)
        for (double& x : a.value) x = uniform.next();
    else
        for (index_t j = 0; j < n; ++j)
            for (index_t i = j; i < n; ++i) entry_at(a, i, j) = entry_at(a, j, i) = uniform.next();
    for (index_t i = 0; i < n && kind == "definite"; ++i) entry_at(a, i, i) = n;
    return a;
}

}  // namespace frond::cli
