// SPDX-License-Identifier: BSD-3-Clause
// The caller's structures as views of the C++ interface. Internal.
#pragma once

#include "frond/base/contract.hpp"
#include "frond/frond.h"
#include "frond/solver.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace frond::c_interface {

template <class E>
E checked_enum(int32_t value, E last, const char* name) {
    FROND_EXPECTS(value >= 0 && value <= static_cast<int32_t>(last),
                  std::string(name) + " = " + std::to_string(value) +
                      " is not one of its enumeration; take a constant of frond.h");
    return static_cast<E>(value);
}

template <class I>
I checked_size(int64_t size, const char* name) {
    FROND_EXPECTS(size >= 0 && size <= std::numeric_limits<I>::max(),
                  std::string(name) + " = " + std::to_string(size) +
                      " does not fit the index type of the matrix; give 0 to " +
                      std::to_string(std::numeric_limits<I>::max()));
    return static_cast<I>(size);
}

template <class View, class I>
void fill_common(const frond_matrix& a, View& view) {
    view.rows = checked_size<I>(a.rows, "rows");
    view.cols = checked_size<I>(a.cols, "cols");
    view.symmetry = checked_enum(a.symmetry, Symmetry::skew_symmetric, "symmetry");
    view.stored = checked_enum(a.triangle, Triangle::upper, "triangle");
    view.one_based = a.one_based != 0;
}

// use(view) with the view of the index type and format that the caller's structure names.
template <class T, class I, class Use>
void with_view(const frond_matrix& a, Use&& use) {
    if (a.format == FROND_TRIPLETS) {
        TripletView<T, I> view;
        fill_common<TripletView<T, I>, I>(a, view);
        view.entries = a.entries;
        view.row = static_cast<const I*>(a.begin);
        view.column = static_cast<const I*>(a.index);
        view.value = static_cast<const T*>(a.value);
        use(view);
        return;
    }
    if (a.format == FROND_ROWS) {
        RowsView<T, I> view;
        FROND_EXPECTS(a.rows == a.cols, "a matrix by rows must be square: give rows and cols its order");
        view.order = checked_size<I>(a.rows, "rows");
        view.rows = checked_size<I>(a.given_rows, "given_rows");
        view.row = static_cast<const I*>(a.row);
        view.begin = static_cast<const I*>(a.begin);
        view.index = static_cast<const I*>(a.index);
        view.value = static_cast<const T*>(a.value);
        view.symmetry = checked_enum(a.symmetry, Symmetry::skew_symmetric, "symmetry");
        view.stored = checked_enum(a.triangle, Triangle::upper, "triangle");
        view.one_based = a.one_based != 0;
        use(view);
        return;
    }
    CompressedView<T, I> view;
    fill_common<CompressedView<T, I>, I>(a, view);
    view.begin = static_cast<const I*>(a.begin);
    view.index = static_cast<const I*>(a.index);
    view.value = static_cast<const T*>(a.value);
    view.layout = a.format == FROND_CSC ? Layout::columns : Layout::rows;
    use(view);
}

template <class T, class Use>
void with_view(const frond_matrix& a, Use&& use) {
    if (a.index_bits == 64)
        with_view<T, int64_t>(a, use);
    else
        with_view<T, int32_t>(a, use);
}

/// Numbers of rows as the library has them.
inline std::vector<index_t> row_numbers(const frond_block_rows& block) {
    std::vector<index_t> numbers;
    if (block.row == nullptr) return numbers;
    numbers.reserve(static_cast<std::size_t>(block.rows) + 1);  // data() of an empty list may be null
    for (int64_t i = 0; i < block.rows; ++i) numbers.push_back(checked_size<index_t>(block.row[i], "a row number"));
    return numbers;
}

}  // namespace frond::c_interface
