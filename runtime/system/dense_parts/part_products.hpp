// SPDX-License-Identifier: BSD-3-Clause
// op(A) X of a dense matrix that several ranks have, where it lies.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "system/dense_parts/dense_parts.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/cpu/dense_view.hpp"
#include "system/remote_operator.hpp"

namespace frond::detail {

struct SumPlan;

/// Each row of the product is summed in the order of the columns, as one rank would: a sum goes from the rank that has the
/// first of its entries to the one that has the next, and so on. Rows are cut in groups, which follow one another, so that
/// the ranks work at the same time. What is sent for a right-hand side is one sum a row for each block of columns that
/// lies with another rank than the one before: nothing where rows are whole.
template <class T>
class PartProducts {
public:
    /// parallel_for: of this rank's workers. Both outlive it.
    PartProducts(Communicator& ranks, const DensePart<T>& a, ParallelFor parallel_for)
        : ranks_(ranks), a_(a), parallel_for_(std::move(parallel_for)) {}

    /// All sums on rank 0. x [n, k], the same on all ranks. Collective.
    ProductSums<T> apply(Operation op, DenseView<const T> x);

private:
    /// A part of the sums: of op(A) or, of a matrix with one triangle, of the entries on one side of its diagonal.
    struct Pass {
        enum class Of : std::uint8_t { all, up_to_diagonal, beyond_diagonal } of = Of::all;
        bool turned = false, conjugates = false;  // entry (i, j) is that of A in row j and column i, and its conjugate
    };
    std::vector<Pass> passes_of(Operation op) const;
    const SumPlan& plan(bool turned);
    void add(const Pass& pass, DenseView<const T> x, ProductSums<T>& sums, bool begins);
    void add_group(const Pass& pass, IndexRange rows, IndexRange columns, DenseView<const T> x,
                   ProductSums<T>& sums) const;
    std::vector<T> load_block(const Pass& pass, IndexRange rows, IndexRange columns) const;
    /// Sums of the rows out[r] go to rank r, those of in[r] come from there.
    using Lists = std::vector<std::vector<index_t>>;
    struct Moved {
        Lists out, in;
    };
    void exchange_sums(const std::function<Moved()>& rows, index_t columns, ProductSums<T>& sums);

    Communicator& ranks_;
    const DensePart<T>& a_;
    ParallelFor parallel_for_;
    std::array<std::shared_ptr<const SumPlan>, 2> plans_;
};

}  // namespace frond::detail
