// SPDX-License-Identifier: BSD-3-Clause
// Right-hand sides and solutions with a leading dimension, and guards between the columns.
#pragma once

#include "frond/solver.hpp"
#include "random_sparse.hpp"

#include <vector>

namespace frond::test {

/// rows x cols values in memory with ld = rows + gap; the gaps hold a value that must stay.
template <class T>
class RhsBlock {
public:
    RhsBlock(index_t rows, index_t cols, index_t gap = 0)
        : rows_(rows),
          cols_(cols),
          ld_(rows + gap),
          data_(static_cast<std::size_t>(ld_) * static_cast<std::size_t>(cols), guard()) {
        fill(T(0));
    }

    static RhsBlock random(index_t rows, index_t cols, std::uint64_t seed, index_t gap = 0) {
        RhsBlock block(rows, cols, gap);
        Random generator(seed);
        for (index_t j = 0; j < cols; ++j)
            for (index_t i = 0; i < rows; ++i) block(i, j) = generator.value<T>();
        return block;
    }

    T& operator()(index_t i, index_t j) {
        return data_[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(ld_)];
    }

    const T& operator()(index_t i, index_t j) const { return const_cast<RhsBlock&>(*this)(i, j); }

    void fill(T value) {
        for (index_t j = 0; j < cols_; ++j)
            for (index_t i = 0; i < rows_; ++i) (*this)(i, j) = value;
    }

    bool guards_intact() const {
        for (index_t j = 0; j < cols_; ++j)
            for (index_t i = rows_; i < ld_; ++i)
                if ((*this)(i, j) != guard()) return false;
        return true;
    }

    index_t rows() const { return rows_; }

    index_t cols() const { return cols_; }

    BlockView<T> view() { return {data_.data(), rows_, cols_, ld_}; }

    BlockView<const T> view() const { return {data_.data(), rows_, cols_, ld_}; }

    bool operator==(const RhsBlock& other) const { return data_ == other.data_; }

private:
    static T guard() { return T(1234); }

    index_t rows_, cols_, ld_;
    std::vector<T> data_;
};

}  // namespace frond::test
