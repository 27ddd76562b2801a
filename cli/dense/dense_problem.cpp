// SPDX-License-Identifier: BSD-3-Clause
#include "dense_problem.hpp"

#include "arguments/input_paths.hpp"
#include "frond/base/error.hpp"
#include "run/new_values.hpp"
#include "run/problem.hpp"
#include "terminal/clock.hpp"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>

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

namespace {

template <class T>
constexpr const char* dense_scalar_name() {
    if constexpr (is_complex<T>)
        return sizeof(T) == 8 ? "complex<float>" : "complex<double>";
    else
        return sizeof(T) == 4 ? "float" : "double";
}

Symmetry symmetry_of(const std::string& text) {
    return text == "symmetric" ? Symmetry::symmetric : text == "hermitian" ? Symmetry::hermitian : Symmetry::general;
}

/// Single precision where that is asked for.
template <class T>
SomeDense dense_in_precision(DenseMatrix<T>&& a, Precision precision, const std::string& name) {
    if constexpr (std::is_same_v<real_t<T>, double>)
        if (precision == Precision::single) return narrowed(std::move(a), name);
    return std::move(a);
}

void expect_square_array(const std::string& name, const MatrixMarketHeader& header) {
    if (header.format == FileFormat::coordinate)
        throw InvalidArgument(name + ": a sparse matrix; solve it by: frond solve " + name);
    if (header.rows != header.cols)
        throw InvalidMatrix(fmt::format("{}: {} rows and {} columns; frond solves square systems", name, header.rows,
                                        header.cols),
                            name);
}

/// What is no file, as a pipe, can be read but once: whether it fits is then seen behind its numbers.
SomeDense read_array(const std::string& name, bool is_file, Symmetry& symmetry) {
    if (is_file) expect_square_array(name, read_matrix_market_header(name));
    MatrixMarketHeader header;
    AnyDense<double> any = read_any_dense<double>(name, {}, &header);
    expect_square_array(name, header);
    symmetry = header.symmetry == Symmetry::skew_symmetric ? Symmetry::general : header.symmetry;
    return std::visit([](auto&& a) -> SomeDense { return std::move(a); }, std::move(any));
}

std::vector<index_t> numbers_of_share(const DenseShare& share, index_t n) {
    std::vector<index_t> numbers;
    for (index_t i = share.first(n); i < share.end(n); ++i) numbers.push_back(i);
    return numbers;
}

/// Reads or makes the parts of all ranks; an array, which is text, is read by rank 0.
void read_or_make(const std::string& name, const DenseShare& share, DenseProblem& problem) {
    index_t order = 0;
    bool is_of_columns = true;
    if (is_dense_generator(name)) {
        problem.matrix = generate_dense(name, problem.facts.symmetry, share, order);
    } else {
        expect_readable(name, "give a Matrix Market array, a NumPy file, or generate:random:N");
        std::error_code ignored;
        const bool is_file = std::filesystem::is_regular_file(name, ignored);
        if (!is_file || !is_numpy_file(name)) {
            if (share.has_own_file)
                throw InvalidArgument(name +
                                      ": a file a rank holds rows of the matrix, as NumPy's format can; give "
                                      "files of numpy.save");
            problem.matrix = read_array(name, is_file, problem.facts.symmetry);
            return;
        }
        NumpyPart part = read_numpy(name, share);
        problem.matrix = std::move(part.matrix);
        order = part.order;
        is_of_columns = part.is_of_columns;
    }
    problem.facts.rows = order;
    problem.has_maps = share.ranks > 1;
    if (problem.has_maps) (is_of_columns ? problem.column_map : problem.row_map) = numbers_of_share(share, order);
}

}  // namespace

std::string dense_matrix_text() {
    return "Matrix Market array, plain or compressed, also from a pipe or standard input (-), or a NumPy file (.npy), "
           "or generate:KIND:N with KIND random, "
           "symmetric, definite, hilbert or wilkinson and N the order";
}

DenseProblem load_dense_problem(const std::string& name, const std::string& symmetry, Precision precision,
                                const DenseShare& share) {
    const Stopwatch watch;
    DenseProblem problem;
    MatrixFacts& facts = problem.facts;
    facts.name = name;
    read_or_make(name, share, problem);
    if (!symmetry.empty()) facts.symmetry = symmetry_of(symmetry);
    SomeDense any = std::move(problem.matrix);
    std::visit([&]<class T>(DenseMatrix<T>&& a) { problem.matrix = dense_in_precision(std::move(a), precision, name); },
               std::move(any));
    std::visit(
        [&]<class T>(const DenseMatrix<T>& a) {
            const bool one_triangle = facts.symmetry != Symmetry::general;
            if (!is_complex<T> && facts.symmetry == Symmetry::hermitian) facts.symmetry = Symmetry::symmetric;
            if (!problem.has_maps) facts.rows = a.rows;
            facts.entries = facts.rows * facts.rows;
            facts.stored_entries = one_triangle ? facts.rows * (facts.rows + 1) / 2 : facts.entries;
            facts.scalar = dense_scalar_name<T>();
        },
        problem.matrix);
    facts.seconds = watch.seconds();
    return problem;
}

}  // namespace frond::cli
