// SPDX-License-Identifier: BSD-3-Clause
// Copies through pinned memory to the device that the host plays and back: of no byte, of parts of a piece, and of more
// pieces than there are slots, for blocks with a leading dimension of their own.
#include "solve/staged_copies.hpp"

#include "frond/base/vector_index.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// From the last chunk to the first: the order must not matter.
void from_the_last(count_t chunks, const std::function<void(count_t)>& body) {
    for (count_t c = chunks; c-- > 0;) body(c);
}

template <class T>
T entry(index_t i, index_t j) {
    return T(static_cast<real_t<T>>(i % 1021 + 3 * (j % 97)));
}

/// The block there and back: [rows, cols] with `gap` rows of the caller between its columns.
template <class T>
void check_round_trip(gpu::StagedCopies& staged, index_t rows, index_t cols, index_t gap) {
    CAPTURE(rows);
    CAPTURE(cols);
    const index_t ld = rows + gap;
    const T untouched(-7);
    std::vector<T> given(at(ld) * at(cols), untouched), device(at(rows) * at(cols)), back = given;
    for (index_t j = 0; j < cols; ++j)
        for (index_t i = 0; i < rows; ++i) given[at(i) + at(j) * at(ld)] = entry<T>(i, j);
    gpu::send_columns<T>(staged, nullptr, DenseView<const T>{given.data(), rows, cols, ld}, device.data(),
                         from_the_last);
    bool is_sent = true;
    for (index_t j = 0; j < cols; ++j)
        for (index_t i = 0; i < rows; ++i) is_sent = is_sent && device[at(i) + at(j) * at(rows)] == entry<T>(i, j);
    CHECK(is_sent);
    gpu::fetch_columns<T>(staged, nullptr, device.data(), DenseView<T>{back.data(), rows, cols, ld}, from_the_last);
    CHECK(back == given);  // what is between the columns, too
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("staged copies bring every column to the device and back", T, staged_columns) {
    gpu::StagedCopies staged;
    constexpr auto piece = static_cast<index_t>((count_t{1} << 22) / static_cast<count_t>(sizeof(T)));
    for (const index_t rows : {1, 37, 40000}) check_round_trip<T>(staged, rows, 3, 5);
    for (const index_t rows : {piece - 1, piece, piece + 1}) check_round_trip<T>(staged, rows, 1, 0);
    check_round_trip<T>(staged, piece / 3, 16, 1);  // more pieces than slots, borders inside columns
    check_round_trip<T>(staged, 5, 0, 0);
}
TEST_CASE_TEMPLATE_APPLY(staged_columns, Scalars);
