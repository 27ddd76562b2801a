// SPDX-License-Identifier: BSD-3-Clause
// A dense matrix that the ranks of a solver have parts of.
#pragma once

#include <memory>
#include <optional>

#include "system/dense_parts/part_products.hpp"
#include "factors/dense_ranks.hpp"
#include "messages/tree_share.hpp"
#include "ranked/team.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// Rank 0 asks the others for their part in what a factorization or a solve needs of A; they do it in serve().
template <class T>
class RankedDense final : public DenseRanks<T> {
public:
    /// The team and the array of the part outlive it.
    RankedDense(Team& team, std::shared_ptr<SessionState> session, DensePart<T> part);

    const DensePart<T>& part() const noexcept { return part_; }
    /// Serves rank 0, on the other ranks.
    void serve(Unpacker& arguments) const;

    std::vector<T> diagonal() const override;
    bool may_be_definite(const std::vector<double>& root) const override;
    DenseMaxima maxima(const Scaling& scaling) const override;
    ProductSums<T> sums(Operation op, std::vector<T> x, index_t columns) const override;
    std::vector<index_t> entries_of_rows(Operation) const override;
    index_t tile_of_layout() const override;
    /// See mapping_of_layout.
    std::optional<RankMapping> mapping_of_layout(const Analysis& analysis) const;
    std::unique_ptr<DenseLoading<T>> loading(const TileGrid& grid, Factorization kind, const Scaling& scaling,
                                             const TreeShare* share) const override;
    /// Loads into the tiles of this rank.
    std::unique_ptr<DenseLoading<T>> shared_loading(const TileGrid& grid, Factorization kind, const Scaling& scaling,
                                                    const TreeShare& share) const;

private:
    struct Answer;
    enum class Call : std::int64_t { diagonal, minors, maxima, products, load };
    /// All of the fields that some call has.
    struct Question {
        Call call = Call::diagonal;
        std::vector<double> root, row_scale, column_scale;
        Operation op = Operation::none;
        index_t columns = 0, own_tiles = 0;
        std::vector<T> x;
        std::vector<index_t> cut;
        Factorization kind = Factorization::lu;

        template <class Archive>
        void visit(Archive& archive) {
            archive(call, root, row_scale, column_scale, op, columns, own_tiles, x, cut, kind);
        }
    };
    /// Asks, on rank 0; the others take part.
    Answer ask(Question& question) const;
    /// Collective.
    Answer answer(const Question& question) const;
    void give_to_rank_0(const Question& question) const;

    Team& team_;
    std::shared_ptr<SessionState> session_;
    DensePart<T> part_;
};

}  // namespace frond::detail
