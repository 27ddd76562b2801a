// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix whose rows are with several ranks, as factorizations and solves on rank 0 use it.
#pragma once

#include "system/remote_operator.hpp"

namespace frond::detail {

/// On rank 0, for the thread that leads the others: rows_of_ranks() of factors/other_ranks.hpp. No rank has the whole of A.
template <class T>
class SparseRanks : public RemoteMatrix<T> {
public:
    /// mine := scaled entries of rank 0's fronts and tiles, in the order of its entry map; the other ranks keep theirs for
    /// the factorization that follows. The largest magnitude of all.
    virtual double bring_entries(T* mine) const = 0;
};

}  // namespace frond::detail
