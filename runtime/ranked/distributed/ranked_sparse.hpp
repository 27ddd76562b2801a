// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix in row blocks over the ranks of a solver, none of which has the whole.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "factors/sparse_ranks.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/base/host_block.hpp"
#include "ranked/distributed/entry_route.hpp"
#include "ranked/team.hpp"
#include "system/rows/row_operator.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// The scaled rows of one factorization, on each rank.
template <class T>
struct ScaledRows {
    std::shared_ptr<const BlockPattern> pattern;
    std::shared_ptr<const LargeVector<T>> value;  // of the pattern
    std::shared_ptr<const EntryRoute> route;
    std::shared_ptr<const Scaling> scaling;  // not null; of all rows and columns
};

/// Rank 0 asks the others for their part in what a factorization or a solve needs of A; they do it in serve().
template <class T>
class RankedSparse final : public SparseRanks<T> {
public:
    /// The team outlives it.
    RankedSparse(Team& team, std::shared_ptr<SessionState> session, ScaledRows<T> rows);

    const ScaledRows<T>& rows() const noexcept { return rows_; }
    /// Serves rank 0, on the other ranks.
    void serve(Unpacker& arguments) const;
    /// On these ranks: what rank 0's bring_entries left, once.
    HostBlock take_entries() const { return std::move(entries_); }

    ProductSums<T> sums(Operation op, std::vector<T> x, index_t columns) const override;
    std::vector<index_t> entries_of_rows(Operation op) const override;
    double bring_entries(T* mine) const override;

private:
    enum class Call : std::int64_t { entries, products, sizes_of_rows };
    /// A question of rank 0, which the others serve: all of the fields that some call has.
    struct Question {
        Call call = Call::entries;
        Operation op = Operation::none;
        index_t columns = 0;
        std::vector<T> x;

        template <class Archive>
        void visit(Archive& archive) {
            archive(call, op, columns, x);
        }
    };
    const RowOperator<T>& operator_of(Operation op) const;
    ProductSums<T> multiply(const Question& question) const;
    std::vector<index_t> gather_entries_of_rows(Operation op) const;
    double bring(T* mine) const;

    Team& team_;
    std::shared_ptr<SessionState> session_;
    ScaledRows<T> rows_;
    // By operation, made when first asked for: one call at a time, by the thread that works.
    mutable std::array<std::unique_ptr<const RowOperator<T>>, 3> operators_;
    mutable HostBlock entries_;
};

}  // namespace frond::detail
