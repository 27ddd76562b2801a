// SPDX-License-Identifier: BSD-3-Clause
// Rank of a sparse matrix of integers by elimination modulo the prime 2^61 - 1. It is never above the
// rank over the rationals, and below it only if the prime divides every largest nonzero minor: by
// Hadamard's bound at most some hundred of the 5e16 primes of this size divide a minor of the matrices
// here (Dumas, Saunders & Villard 2001, On efficient sparse integer matrix Smith normal form
// computations, J. Symb. Comput. 32, 71-99).
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace frond::test {

/// Integers modulo 2^61 - 1.
struct Modular {
    __extension__ using Product = unsigned __int128;
    static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

    std::uint64_t value = 0;

    static Modular of(double integer) {
        const auto size = static_cast<std::uint64_t>(std::abs(integer)) % prime;
        return {integer < 0 && size > 0 ? prime - size : size};
    }

    friend Modular operator*(Modular a, Modular b) {
        const Product product = static_cast<Product>(a.value) * b.value;
        const std::uint64_t sum =
            (static_cast<std::uint64_t>(product) & prime) + static_cast<std::uint64_t>(product >> 61);
        return {sum >= prime ? sum - prime : sum};
    }

    friend Modular operator+(Modular a, Modular b) {
        const std::uint64_t sum = a.value + b.value;
        return {sum >= prime ? sum - prime : sum};
    }

    Modular operator-() const { return {value == 0 ? 0 : prime - value}; }

    /// a^(p - 2) (Fermat).
    Modular inverse() const {
        Modular power = *this, result{1};
        for (std::uint64_t left = prime - 2; left > 0; left >>= 1, power = power * power)
            if (left & 1) result = result * power;
        return result;
    }
};

/// Elimination of the shortest row by the rarest of its columns (Markowitz 1957) until what is left is
/// dense, then Gaussian elimination.
class ModularElimination {
public:
    struct Entry {
        index_t column;
        Modular value;
    };

    using Row = std::vector<Entry>;  // by column, no zeros

    ModularElimination(std::vector<Row> rows, index_t columns)
        : rows_(std::move(rows)), rows_of_(static_cast<std::size_t>(columns)), count_(rows_of_.size(), 0) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            by_length_.insert({rows_[i].size(), i});
            for (const Entry& e : rows_[i]) enter(i, e.column);
        }
    }

    /// Empty: more than `most_operations` multiplications.
    std::optional<index_t> rank(double most_operations) {
        index_t rank = 0;
        while (!by_length_.empty() && !is_dense()) {
            if (operations_ > most_operations) return std::nullopt;
            const std::size_t pivot_row = by_length_.begin()->second;
            by_length_.erase(by_length_.begin());
            if (rows_[pivot_row].empty()) continue;
            eliminate(pivot_row);
            ++rank;
        }
        const double m = static_cast<double>(by_length_.size()), n = static_cast<double>(columns_left_);
        if (operations_ + m * n * std::min(m, n) / 2 > most_operations) return std::nullopt;
        return rank + dense_rank();
    }

private:
    std::size_t& count_of(index_t column) { return count_[static_cast<std::size_t>(column)]; }

    void enter(std::size_t row, index_t column) {
        rows_of_[static_cast<std::size_t>(column)].push_back(row);
        ++entries_;
        if (count_of(column)++ == 0) ++columns_left_;
    }

    void leave(index_t column) {
        --entries_;
        if (--count_of(column) == 0) --columns_left_;
    }

    bool is_dense() const {
        constexpr double share = 0.15;
        return static_cast<double>(entries_) >
               share * static_cast<double>(by_length_.size()) * static_cast<double>(columns_left_);
    }

    void eliminate(std::size_t pivot_row) {
        const Row pivot = std::move(rows_[pivot_row]);
        rows_[pivot_row].clear();
        for (const Entry& e : pivot) leave(e.column);
        const Entry& p = *std::min_element(pivot.begin(), pivot.end(), [&](const Entry& a, const Entry& b) {
            return count_of(a.column) < count_of(b.column);
        });
        const Modular factor = -p.value.inverse();
        const std::vector<std::size_t> below = std::move(rows_of_[static_cast<std::size_t>(p.column)]);
        for (const std::size_t i : below) {
            const auto found = std::lower_bound(rows_[i].begin(), rows_[i].end(), p.column,
                                                [](const Entry& e, index_t column) { return e.column < column; });
            if (found == rows_[i].end() || found->column != p.column) continue;  // gone, or met before
            by_length_.erase({rows_[i].size(), i});
            add_multiple(i, pivot, factor * found->value);
            by_length_.insert({rows_[i].size(), i});
        }
    }

    /// row i += factor * pivot
    void add_multiple(std::size_t i, const Row& pivot, Modular factor) {
        constexpr double merge_per_multiplication = 8;  // an entry merged costs as much as so many of these
        Row sum;
        sum.reserve(rows_[i].size() + pivot.size());
        auto a = rows_[i].begin();
        for (const Entry& b : pivot) {
            while (a != rows_[i].end() && a->column < b.column) sum.push_back(*a++);
            if (a == rows_[i].end() || a->column > b.column) {
                sum.push_back({b.column, factor * b.value});
                enter(i, b.column);
                continue;
            }
            const Modular value = a->value + factor * b.value;
            if (value.value != 0)
                sum.push_back({b.column, value});
            else
                leave(b.column);
            ++a;
        }
        sum.insert(sum.end(), a, rows_[i].end());
        rows_[i] = std::move(sum);
        operations_ += merge_per_multiplication * static_cast<double>(rows_[i].size() + pivot.size());
    }

    std::vector<std::vector<Modular>> dense_rest() const {
        std::vector<std::size_t> place(count_.size());
        std::size_t columns = 0;
        for (std::size_t j = 0; j < count_.size(); ++j)
            if (count_[j] > 0) place[j] = columns++;
        std::vector<std::vector<Modular>> dense;
        for (const auto& [length, i] : by_length_) {
            dense.emplace_back(columns);
            for (const Entry& e : rows_[i]) dense.back()[place[static_cast<std::size_t>(e.column)]] = e.value;
        }
        return dense;
    }

    index_t dense_rank() const {
        std::vector<std::vector<Modular>> a = dense_rest();
        std::size_t rank = 0;
        for (std::size_t j = 0; !a.empty() && j < a.front().size() && rank < a.size(); ++j) {
            std::size_t p = rank;
            while (p < a.size() && a[p][j].value == 0) ++p;
            if (p == a.size()) continue;
            std::swap(a[rank], a[p]);
            const Modular factor = -a[rank][j].inverse();
            for (std::size_t i = std::max(p, rank + 1); i < a.size(); ++i) {
                if (a[i][j].value == 0) continue;
                const Modular l = factor * a[i][j];
                for (std::size_t k = j; k < a[i].size(); ++k) a[i][k] = a[i][k] + l * a[rank][k];
            }
            ++rank;
        }
        return static_cast<index_t>(rank);
    }

    std::vector<Row> rows_;
    std::vector<std::vector<std::size_t>> rows_of_;  // [column]; rows that lost the column stay in it
    std::vector<std::size_t> count_;  // [column] entries in rows that are left
    std::set<std::pair<std::size_t, std::size_t>> by_length_;  // (entries, row)
    std::size_t columns_left_ = 0, entries_ = 0;
    double operations_ = 0;
};

inline bool has_integers(const SparseMatrix<double>& a) {
    constexpr double largest = 9007199254740992.0;  // 2^53: above it doubles are rounded integers
    return std::all_of(a.value.begin(), a.value.end(),
                       [](double v) { return std::abs(v) <= largest && v == std::trunc(v); });
}

/// Empty: A has other values than integers, or the elimination would take more than some seconds.
inline std::optional<index_t> exact_rank(const SparseMatrix<double>& a, double most_operations = 2e9) {
    if (!has_integers(a)) return std::nullopt;
    std::vector<ModularElimination::Row> rows(static_cast<std::size_t>(a.rows()));
    const auto add = [&](index_t i, index_t j, double v) {
        if (v != 0) rows[static_cast<std::size_t>(i)].push_back({j, Modular::of(v)});
    };
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e) {
            const index_t i = a.pattern.row[static_cast<std::size_t>(e)];
            add(i, j, a.value[static_cast<std::size_t>(e)]);
            if (i != j && a.symmetry != Symmetry::general) add(j, i, a.value[static_cast<std::size_t>(e)]);
        }
    for (auto& row : rows)
        std::sort(row.begin(), row.end(), [](const auto& x, const auto& y) { return x.column < y.column; });
    return ModularElimination(std::move(rows), a.cols()).rank(most_operations);
}

}  // namespace frond::test
