// SPDX-License-Identifier: BSD-3-Clause
#include "system/backward_error.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/loop_purpose.hpp"
#include "frond/base/vector_index.hpp"
#include "system/row_chunks.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace frond {
namespace {

/// ||x||, ||S^-1 x||, ||b||, ||r|| in the inf-norm.
struct Norms {
    double x = 0, scaled_x = 0, b = 0, r = 0;
};

/// One column of a system.
template <class T>
struct ErrorColumn {
    const T *x, *b, *r;
    const real_t<T>* w;
};

/// [numbers, columns] The largest that see(column, begin, end, its numbers) finds in pieces of rows, of all processes.
template <class T, class See>
std::vector<Largest> largest_of_columns(const LinearSystem<T>& system, index_t columns, std::size_t numbers,
                                        const See& see) {
    const LoopPurpose purpose("error");
    std::vector<Largest> largest;
    system.applied().together([&] {
        const std::size_t pieces = at(row_chunks(system.rows()));
        std::vector<Largest> piece(pieces * at(columns) * numbers);
        for_row_chunks(system.parallel_for(), system.rows(), columns,
                       [&](count_t k, count_t begin, count_t end, count_t chunk) {
                           see(static_cast<index_t>(k), begin, end, piece.data() + at(chunk) * numbers);
                       });
        largest.resize(at(columns) * numbers);
        for (std::size_t p = 0; p < piece.size(); ++p)
            largest[p / numbers / pieces * numbers + p % numbers].see(piece[p]);
    });
    system.applied().join(largest);
    return largest;
}

template <class T, class Column>
std::vector<Norms> norms(const LinearSystem<T>& system, index_t columns, const Column& column) {
    const std::vector<double>& scale = system.inverse_solution_scale();
    const auto see = [&](index_t k, count_t begin, count_t end, Largest* largest) {
        const ErrorColumn<T> c = column(k);
        Largest x, scaled_x, b, r;
        for (count_t i = begin; i < end; ++i) x.see(magnitude(c.x[i]));
        for (count_t i = begin; i < end; ++i) b.see(magnitude(c.b[i]));
        for (count_t i = begin; i < end; ++i) r.see(magnitude(c.r[i]));
        for (count_t i = begin; !scale.empty() && i < end; ++i) scaled_x.see(magnitude(c.x[i]) * scale[at(i)]);
        std::copy_n(std::array{x, scaled_x, b, r}.data(), 4, largest);
    };
    const std::vector<Largest> largest = largest_of_columns(system, columns, 4, see);
    std::vector<Norms> norms;
    for (std::size_t k = 0; k < largest.size(); k += 4)
        norms.push_back({largest[k].value(), largest[k + 1].value(), largest[k + 2].value(), largest[k + 3].value()});
    return norms;
}

template <class T>
double denominator(const LinearSystem<T>& system, double weight, double size_b, std::size_t i, const Norms& norm) {
    double row = static_cast<double>(system.row_sums()[i]) * norm.x;
    const std::vector<real_t<T>>& scaled = system.scaled_row_sums();
    if (!scaled.empty()) row = std::min(row, static_cast<double>(scaled[i]) * norm.scaled_x);
    return error_denominator(weight, size_b, row, system.tiny());
}

}  // namespace

template <class T>
std::vector<ResidualSizes> residual_sizes(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                          DenseView<const T> r, const real_t<T>* w, std::span<const index_t> of_b) {
    const auto column = [&](index_t k) {
        return ErrorColumn<T>{x.column(k), b.column(of_b.empty() ? k : of_b[at(k)]), r.column(k),
                              w + count_t{k} * system.rows()};
    };
    const std::vector<Norms> norm = norms(system, x.cols, column);
    const auto see = [&](index_t k, count_t begin, count_t end, Largest* of_piece) {
        const ErrorColumn<T> c = column(k);
        Largest largest;
        for (count_t i = begin; i < end; ++i)
            largest.see(trusted_quotient(magnitude(c.r[i]), denominator(system, static_cast<double>(c.w[i]),
                                                                        magnitude(c.b[i]), at(i), norm[at(k)])));
        *of_piece = largest;
    };
    const std::vector<Largest> componentwise = largest_of_columns(system, x.cols, 1, see);
    std::vector<ResidualSizes> sizes;
    for (std::size_t k = 0; k < norm.size(); ++k)
        sizes.push_back({norm[k].x, norm[k].b, norm[k].r, componentwise[k].value()});
    return sizes;
}

template <class T>
void make_denominators(const LinearSystem<T>& system, const T* x, const T* b, real_t<T>* w) {
    const Norms norm = norms(system, 1, [&](index_t) { return ErrorColumn<T>{x, b, b, w}; })[0];
    const LoopPurpose purpose("error");
    for_row_chunks(system.parallel_for(), system.rows(), 1, [&](count_t, count_t begin, count_t end, count_t) {
        for (count_t i = begin; i < end; ++i)
            w[i] = static_cast<real_t<T>>(denominator(system, static_cast<double>(w[i]), magnitude(b[i]), at(i), norm));
    });
}

template <class T>
std::vector<BackwardError> backward_errors(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                           DenseView<T> r) {
    std::unique_ptr<real_t<T>[]> w;
    system.applied().together([&] { w = std::make_unique_for_overwrite<real_t<T>[]>(at(system.rows()) * at(x.cols)); });
    system.residual(x, b, r, w.get());
    std::vector<BackwardError> errors;
    for (const ResidualSizes& size : residual_sizes<T>(system, x, b, r, w.get()))
        errors.push_back(backward_error(size, system.norm()));
    return errors;
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template std::vector<ResidualSizes> residual_sizes<T>(const LinearSystem<T>&, DenseView<const T>,               \
                                                          DenseView<const T>, DenseView<const T>, const real_t<T>*, \
                                                          std::span<const index_t>);                                \
    template void make_denominators<T>(const LinearSystem<T>&, const T*, const T*, real_t<T>*);                     \
    template std::vector<BackwardError> backward_errors<T>(const LinearSystem<T>&, DenseView<const T>,              \
                                                           DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
