// SPDX-License-Identifier: BSD-3-Clause
#include "system/dense_parts/part_facts.hpp"

#include <limits>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks/parcels.hpp"
#include "ranks/reduce_max.hpp"

namespace frond::detail {
namespace {

std::vector<index_t> diagonal_numbers(const DenseParts::Part& part) {
    std::vector<index_t> both;
    std::set_intersection(part.row.begin(), part.row.end(), part.column.begin(), part.column.end(),
                          std::back_inserter(both));
    return both;
}

/// visit(row, column, entry) of all entries that are read; it returns whether to go on.
template <class T, class Visit>
void for_entries_read(const DensePart<T>& a, const Visit& visit) {
    const DenseParts::Part& part = a.mine();
    for (std::size_t q = 0; q < part.column.size(); ++q) {
        const index_t column = part.column[q];
        const IndexRange rows = places_of(part.row, a.all().rows_read(column));
        for (index_t p = rows.begin; p < rows.end; ++p)
            if (!visit(part.row[at(p)], column, a.entry(p, static_cast<index_t>(q)))) return;
    }
}

[[noreturn]] void fail_part_not_finite(index_t row, index_t column, double size, double most) {
    throw InvalidMatrix("entry (" + std::to_string(row) + ", " + std::to_string(column) +
                        ") of the dense matrix, counted from 0, is " +
                        (std::isnan(size) ? "NaN"
                         : size > most    ? "infinite"
                                          : "infinite when scaled") +
                        "; values must be finite");
}

/// Looks at the maxima of this rank's entries.
template <class T>
void see_maxima(const DensePart<T>& a, const Scaling& scaling, DenseMaxima& found) {
    constexpr double most = std::numeric_limits<real_t<T>>::max();
    const bool scaled = !scaling.row.empty(), one_triangle = a.all().has_one_triangle();
    std::vector<double>& of_column = one_triangle ? found.row : found.column;
    for_entries_read(a, [&](index_t i, index_t j, T entry) {
        const double plain = size_of(entry), size = scaled ? plain * scaling.row[at(i)] * scaling.column[at(j)] : plain;
        if (!(size <= most)) fail_part_not_finite(i, j, plain, most);
        found.row[at(i)] = std::max(found.row[at(i)], size);
        of_column[at(j)] = std::max(of_column[at(j)], size);
        return true;
    });
}

}  // namespace

template <class T>
std::vector<T> diagonal_of_parts(Communicator& ranks, const DensePart<T>& a) {
    std::vector<T> out, in, diagonal;
    std::vector<count_t> out_sizes(at(ranks.size()), 0), in_sizes(out_sizes);
    std::vector<std::vector<index_t>> numbers(at(ranks.size()));
    collectively(ranks, [&] {
        for (index_t r = 0; r < ranks.size(); ++r) numbers[at(r)] = diagonal_numbers(a.all().part[at(r)]);
        for (const index_t i : numbers[at(a.rank())])
            out.push_back(
                a.entry(places_of(a.mine().row, {i, i + 1}).begin, places_of(a.mine().column, {i, i + 1}).begin));
        out_sizes[0] = static_cast<count_t>(out.size());
        if (ranks.rank() != 0) return;
        for (std::size_t r = 0; r < numbers.size(); ++r) in_sizes[r] = static_cast<count_t>(numbers[r].size());
        in.resize(at(a.all().order));
        diagonal.resize(in.size());
    });
    exchange_parcels<T>(ranks, out, begin_of_sizes(out_sizes), in, begin_of_sizes(in_sizes));
    std::size_t k = 0;
    for (const std::vector<index_t>& of_rank : numbers)
        for (const index_t i : of_rank)
            if (ranks.rank() == 0) diagonal[at(i)] = in[k++];
    return diagonal;
}

template <class T>
bool parts_may_be_definite(Communicator& ranks, const DensePart<T>& a, const std::vector<double>& root) {
    std::vector<count_t> negative{0};
    for_entries_read(a, [&](index_t i, index_t j, T entry) {
        if (i != j && size_of(entry) >= root[at(i)] * root[at(j)]) negative[0] = 1;
        return negative[0] == 0;
    });
    ranks.all_reduce_max(negative);
    return negative[0] == 0;
}

template <class T>
DenseMaxima maxima_of_parts(Communicator& ranks, const DensePart<T>& a, const Scaling& scaling) {
    DenseMaxima found;
    collectively(ranks, [&] {
        found.row.assign(at(a.all().order), 0.0);
        found.column = found.row;
        see_maxima(a, scaling, found);
    });
    reduce_max(ranks, found.row);
    reduce_max(ranks, found.column);
    return found;
}

#define FROND_INSTANTIATE(T)                                                                                \
    template std::vector<T> diagonal_of_parts<T>(Communicator&, const DensePart<T>&);                       \
    template bool parts_may_be_definite<T>(Communicator&, const DensePart<T>&, const std::vector<double>&); \
    template DenseMaxima maxima_of_parts<T>(Communicator&, const DensePart<T>&, const Scaling&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
