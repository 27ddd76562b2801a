// SPDX-License-Identifier: BSD-3-Clause
#include "system/backward_error.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/loop_purpose.hpp"
#include "frond/base/vector_index.hpp"
#include "system/row_chunks.hpp"

#include <algorithm>
#include <array>
#include <limits>
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

/// max w_i / (|op(A)| e)_i and max w_i / (|op(A)| s)_i in place of ||x|| and ||S^-1 x||, times most_beyond_seen, where
/// these are larger.
template <class T, class Column>
void bound_by_seen(const LinearSystem<T>& system, std::vector<Norms>& norm, const Column& column) {
    const std::vector<real_t<T>>&plain = system.row_sums(), &scaled = system.scaled_row_sums();
    const auto see = [&](index_t k, count_t begin, count_t end, Largest* largest) {
        const ErrorColumn<T> c = column(k);
        for (count_t i = begin; i < end; ++i) {
            const auto w = static_cast<double>(c.w[i]);
            if (plain[at(i)] > 0) largest[0].see(w / static_cast<double>(plain[at(i)]));
            if (!scaled.empty() && scaled[at(i)] > 0) largest[1].see(w / static_cast<double>(scaled[at(i)]));
        }
    };
    const std::vector<Largest> seen = largest_of_columns(system, static_cast<index_t>(norm.size()), 2, see);
    for (std::size_t k = 0; k < norm.size(); ++k) {
        norm[k].x = std::min(norm[k].x, most_beyond_seen * seen[2 * k].value());
        norm[k].scaled_x = std::min(norm[k].scaled_x, most_beyond_seen * seen[2 * k + 1].value());
    }
}

template <class T>
double denominator(const LinearSystem<T>& system, double weight, double size_b, std::size_t i, const Norms& norm) {
    double row = static_cast<double>(system.row_sums()[i]) * norm.x;
    const std::vector<real_t<T>>& scaled = system.scaled_row_sums();
    if (!scaled.empty()) row = std::min(row, static_cast<double>(scaled[i]) * norm.scaled_x);
    return error_denominator(weight, size_b, row, system.tiny());
}

/// Quotients of the rows of one column, divided only where they may be the largest.
class RowQuotients {
public:
    /// row: its sum, which b and r are measured by next to each other.
    void see(double r, double b, double weight, double denominator, double row) {
        constexpr double largest_number = std::numeric_limits<double>::max();
        if (!(r <= bound_ * denominator) || !(denominator <= largest_number)) {
            componentwise_.see(trusted_quotient(r, denominator));
            constexpr double below_rounding = 1 - 1e-15;
            bound_ = componentwise_.value() * below_rounding;
        }
        if (denominator != weight) {
            pure_.see(trusted_quotient(r, weight));
            if (r > violated_share * weight && row > 0) violated_of_row_ = std::max(violated_of_row_, r / row);
        }
        if (r > r_of_row_ * row && row > 0) r_of_row_ = r / row;
        if (b > b_of_row_ * row && row > 0) b_of_row_ = b / row;
    }
    static constexpr std::size_t numbers = 5;
    void write(Largest* largest) const {
        Largest r, violated, b, pure = pure_;
        r.see(r_of_row_);
        violated.see(violated_of_row_);
        b.see(b_of_row_);
        pure.see(componentwise_);
        std::copy_n(std::array{componentwise_, pure, r, violated, b}.data(), numbers, largest);
    }

private:
    Largest componentwise_, pure_;
    double bound_ = 0;  // quotients up to it are not the largest
    double r_of_row_ = 0, violated_of_row_ = 0, b_of_row_ = 0;
};

template <class T, class Column>
std::vector<ResidualSizes> sizes_of(const LinearSystem<T>& system, const std::vector<Norms>& norm,
                                    const Column& column) {
    const std::vector<real_t<T>>& rows =
        system.scaled_row_sums().empty() ? system.row_sums() : system.scaled_row_sums();
    const auto see = [&](index_t k, count_t begin, count_t end, Largest* of_piece) {
        const ErrorColumn<T> c = column(k);
        RowQuotients quotients;
        for (count_t i = begin; i < end; ++i) {
            const double w = static_cast<double>(c.w[i]), b = magnitude(c.b[i]);
            quotients.see(magnitude(c.r[i]), b, w, denominator(system, w, b, at(i), norm[at(k)]),
                          static_cast<double>(rows[at(i)]));
        }
        quotients.write(of_piece);
    };
    const std::vector<Largest> all =
        largest_of_columns(system, static_cast<index_t>(norm.size()), RowQuotients::numbers, see);
    std::vector<ResidualSizes> sizes;
    for (std::size_t k = 0; k < norm.size(); ++k) {
        const Largest* const q = all.data() + k * RowQuotients::numbers;
        sizes.push_back({norm[k].x, norm[k].b, norm[k].r, q[0].value(), q[1].value(),
                         quotient_of_b(q[2].value(), q[4].value()), quotient_of_b(q[3].value(), q[4].value())});
    }
    return sizes;
}

}  // namespace

template <class T>
std::vector<ResidualSizes> residual_sizes(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                          DenseView<const T> r, const real_t<T>* w, std::span<const index_t> of_b) {
    const auto column = [&](index_t k) {
        return ErrorColumn<T>{x.column(k), b.column(of_b.empty() ? k : of_b[at(k)]), r.column(k),
                              w + count_t{k} * system.rows()};
    };
    std::vector<Norms> norm = norms(system, x.cols, column);
    const std::vector<ResidualSizes> sizes = sizes_of(system, norm, column);
    if (std::none_of(sizes.begin(), sizes.end(), [](const auto& size) { return size.pure > violated_share; }))
        return sizes;
    bound_by_seen(system, norm, column);
    std::vector<ResidualSizes> bounded = sizes_of(system, norm, column);
    for (std::size_t k = 0; k < sizes.size(); ++k) bounded[k].x = sizes[k].x;
    return bounded;
}

template <class T>
void make_denominators(const LinearSystem<T>& system, const T* x, const T* b, real_t<T>* w) {
    const auto column = [&](index_t) { return ErrorColumn<T>{x, b, b, w}; };
    std::vector<Norms> all = norms(system, 1, column);
    bound_by_seen(system, all, column);
    const Norms norm = all[0];
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
