// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/ranked_dense.hpp"

#include <algorithm>
#include <utility>

#include "system/dense_parts/part_facts.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/dealt/dense_loading.hpp"
#include "ranked/dealt/dense_mapping.hpp"
#include "ranks/collectively.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {
namespace {

Scaling scaling_of(const std::vector<double>& row, const std::vector<double>& column) {
    Scaling scaling;
    scaling.row = row;
    scaling.column = column;
    return scaling;
}

}  // namespace

/// What the calls give on rank 0.
template <class T>
struct RankedDense<T>::Answer {
    std::vector<T> diagonal;
    bool may_be_definite = false;
    DenseMaxima maxima;
    ProductSums<T> sums;
};

template <class T>
RankedDense<T>::RankedDense(Team& team, std::shared_ptr<SessionState> session, DensePart<T> part)
    : team_(team), session_(std::move(session)), part_(std::move(part)) {}

template <class T>
typename RankedDense<T>::Answer RankedDense<T>::ask(Question& question) const {
    team_.ask(Command::dense, question);
    return answer(question);
}

template <class T>
void RankedDense<T>::serve(Unpacker& arguments) const {
    Question question;
    collectively(team_.ranks(), [&] { question.visit(arguments); });
    static_cast<void>(answer(question));
}

/// Rank 0 says where the tiles go.
template <class T>
void RankedDense<T>::give_to_rank_0(const Question& question) const {
    TileGrid grid;
    grid.cut = question.cut;
    grid.own_tiles = question.own_tiles;
    const Scaling scaling;
    DealtLoading<T>(team_.ranks(), part_, {&grid, question.kind, &scaling, [](index_t, index_t) { return 0; }}, {})
        .load(nullptr);
}

template <class T>
typename RankedDense<T>::Answer RankedDense<T>::answer(const Question& question) const {
    Answer answer;
    switch (question.call) {
        case Call::diagonal:
            answer.diagonal = diagonal_of_parts(team_.ranks(), part_);
            break;
        case Call::minors:
            answer.may_be_definite = parts_may_be_definite(team_.ranks(), part_, question.root);
            break;
        case Call::maxima:
            answer.maxima =
                maxima_of_parts(team_.ranks(), part_, scaling_of(question.row_scale, question.column_scale));
            break;
        case Call::products: {
            const JobGuard guard(*session_);
            PartProducts<T> products(team_.ranks(), part_, parallel_for_on(*session_, "product"));
            const index_t n = part_.all().order;
            answer.sums = products.apply(question.op, {question.x.data(), n, question.columns, std::max(n, 1)});
            break;
        }
        case Call::load:
            if (team_.ranks().rank() > 0) give_to_rank_0(question);
            break;
    }
    return answer;
}

template <class T>
std::vector<T> RankedDense<T>::diagonal() const {
    Question question;
    return ask(question).diagonal;
}

template <class T>
bool RankedDense<T>::may_be_definite(const std::vector<double>& root) const {
    Question question;
    question.call = Call::minors;
    question.root = root;
    return ask(question).may_be_definite;
}

template <class T>
DenseMaxima RankedDense<T>::maxima(const Scaling& scaling) const {
    Question question;
    question.call = Call::maxima;
    question.row_scale = scaling.row;
    question.column_scale = scaling.column;
    return ask(question).maxima;
}

template <class T>
ProductSums<T> RankedDense<T>::sums(Operation op, std::vector<T> x, index_t columns) const {
    Question question;
    question.call = Call::products;
    question.op = op;
    question.columns = columns;
    question.x = std::move(x);
    return ask(question).sums;
}

template <class T>
std::vector<index_t> RankedDense<T>::entries_of_rows(Operation) const {
    return std::vector<index_t>(at(part_.all().order), part_.all().order);
}

template <class T>
index_t RankedDense<T>::tile_of_layout() const {
    return part_.view().has_maps() ? 0 : detail::tile_of_layout(part_.view().layout);
}

template <class T>
std::optional<RankMapping> RankedDense<T>::mapping_of_layout(const Analysis& analysis) const {
    if (tile_of_layout() == 0 || analysis.options.deterministic) return std::nullopt;
    return detail::mapping_of_layout(analysis, part_.view().layout, part_.view().reads_upper(), team_.ranks().size());
}

template <class T>
std::unique_ptr<DenseLoading<T>> RankedDense<T>::loading(const TileGrid& grid, Factorization kind,
                                                         const Scaling& scaling, const TreeShare* share) const {
    if (share != nullptr) return shared_loading(grid, kind, scaling, *share);
    const auto begin = [this, &grid, kind] {
        Question question;
        question.call = Call::load;
        question.kind = kind;
        question.cut = grid.cut;
        question.own_tiles = grid.own_tiles;
        static_cast<void>(ask(question));
    };
    return std::make_unique<DealtLoading<T>>(
        team_.ranks(), part_, typename DealtLoading<T>::Plan{&grid, kind, &scaling, [](index_t, index_t) { return 0; }},
        begin);
}

template <class T>
std::unique_ptr<DenseLoading<T>> RankedDense<T>::shared_loading(const TileGrid& grid, Factorization kind,
                                                                const Scaling& scaling, const TreeShare& share) const {
    const auto owner = [&share](index_t i, index_t j) { return share.tile_owner(0, i, j); };
    return std::make_unique<DealtLoading<T>>(team_.ranks(), part_,
                                             typename DealtLoading<T>::Plan{&grid, kind, &scaling, owner},
                                             std::function<void()>());
}

#define FROND_INSTANTIATE(T) template class RankedDense<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
