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

/// The columns that are made, `first` and those behind it, of a matrix of the order a.rows.
struct DenseColumns {
    DenseMatrix<double> a;
    index_t first = 0;
    bool mirrors = true;  // both triangles of a symmetric matrix, all of which is here

    index_t end() const { return first + a.cols; }
    double& operator()(index_t i, index_t j) {
        return a.value[static_cast<std::size_t>(i) +
                       static_cast<std::size_t>(j - first) * static_cast<std::size_t>(a.rows)];
    }
};

/// a_ij = 1 / (i + j + 1), of enormous condition.
void fill_hilbert(DenseColumns& a) {
    for (index_t j = a.first; j < a.end(); ++j)
        for (index_t i = 0; i < a.a.rows; ++i) a(i, j) = 1.0 / (static_cast<double>(i) + j + 1);
}

/// Ones on the diagonal and in the last column, -1 below the diagonal: pivots of partial pivoting grow to 2^(n - 1)
/// (Wilkinson 1961).
void fill_wilkinson(DenseColumns& a) {
    for (index_t j = a.first; j < a.end(); ++j)
        for (index_t i = j; i < a.a.rows; ++i) a(i, j) = i == j ? 1 : -1;
    if (a.end() != a.a.rows || a.a.cols == 0) return;
    for (index_t i = 0; i < a.a.rows; ++i) a(i, a.a.rows - 1) = 1;
}

/// One sequence of numbers for all columns, whoever makes them.
void fill_random(DenseColumns& a, Symmetry symmetry) {
    const auto n = static_cast<std::uint64_t>(a.a.rows), first = static_cast<std::uint64_t>(a.first);
    const bool is_general = symmetry == Symmetry::general;
    Uniform uniform(2);  // random right-hand sides have another seed
    uniform.skip(is_general ? n * first : n * first - first * (first - 1) / 2);
    for (index_t j = a.first; j < a.end(); ++j)
        for (index_t i = is_general ? 0 : j; i < a.a.rows; ++i) {
            a(i, j) = uniform.next();
            if (!is_general && a.mirrors) a(j, i) = a(i, j);
        }
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

DenseMatrix<double> generate_dense(const std::string& name, Symmetry& symmetry, const DenseShare& share,
                                   index_t& order) {
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
    const index_t n = order = order_of(colon == std::string_view::npos ? "" : rest.substr(colon + 1));
    const index_t columns = share.end(n) - share.first(n);
    const std::size_t entries = static_cast<std::size_t>(n) * static_cast<std::size_t>(columns);
    DenseColumns a{{n, columns, std::vector<double>(entries, 0.0)}, share.first(n), share.ranks == 1};
    symmetry = kind == "random" || kind == "wilkinson" ? Symmetry::general : Symmetry::symmetric;
    if (kind == "hilbert") fill_hilbert(a);
    if (kind == "wilkinson") fill_wilkinson(a);
    if (kind == "hilbert" || kind == "wilkinson") return std::move(a.a);
    fill_random(a, symmetry);
    for (index_t j = a.first; j < a.end() && kind == "definite"; ++j) a(j, j) = n;
    return std::move(a.a);
}

}  // namespace frond::cli
