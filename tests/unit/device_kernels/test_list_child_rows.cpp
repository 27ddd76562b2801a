// SPDX-License-Identifier: BSD-3-Clause
// Which row of each child is in each row of its parent, listed by the kernel on the device that the host plays.
#include "kernels/level_batch/list_child_rows.hpp"

#include "frond/base/vector_index.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
std::vector<index_t> by_kernel(const std::vector<gpu::ChildRows>& children, const std::vector<index_t>& relative_rows,
                               count_t all_rows) {
    std::vector<index_t> row_of(at(all_rows), 99);
    gpu::list_child_rows<T>(nullptr, static_cast<index_t>(children.size()), children.data(), relative_rows.data(),
                            all_rows, row_of.data());
    return row_of;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("Rows of children are listed by the rows of their parents, and -1 where a child has none", T,
                          rows_of_children) {
    // Parents of 4, 2 and 3 rows; the second child has no row, and the lists of the others are not in their order.
    const std::vector<gpu::ChildRows> children{{2, 0, 3}, {5, 4, 0}, {0, 6, 2}};
    CHECK(by_kernel<T>(children, {0, 2, 0, 1, 3}, 9) == std::vector<index_t>{0, 1, -1, 2, -1, -1, 0, -1, 1});
}
TEST_CASE_TEMPLATE_APPLY(rows_of_children, Scalars);

TEST_CASE_TEMPLATE_DEFINE("A child with more rows than a block has threads, and no child at all", T, long_child) {
    constexpr index_t rows = 1000;
    std::vector<index_t> relative_rows, expected(2 * rows, -1);
    for (index_t r = 0; r < rows; ++r) relative_rows.push_back(2 * r);
    for (index_t r = 0; r < rows; ++r) expected[at(2 * r)] = r;
    CHECK(by_kernel<T>({{0, 0, rows}}, relative_rows, 2 * rows) == expected);
    CHECK(by_kernel<T>({}, {}, 2) == std::vector<index_t>{99, 99});
}
TEST_CASE_TEMPLATE_APPLY(long_child, Scalars);
