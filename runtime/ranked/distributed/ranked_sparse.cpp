// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/ranked_sparse.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/columns_view.hpp"
#include "ranks/collectively.hpp"
#include "system/rows/row_plan.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {

template <class T>
RankedSparse<T>::RankedSparse(Team& team, std::shared_ptr<SessionState> session, ScaledRows<T> rows)
    : team_(team), session_(std::move(session)), rows_(std::move(rows)) {}

template <class T>
void RankedSparse<T>::serve(Unpacker& arguments) const {
    Question question;
    collectively(team_.ranks(), [&] { question.visit(arguments); });
    switch (question.call) {
        case Call::entries:
            collectively(team_.ranks(),
                         [&] { entries_ = HostBlock(rows_.route->incoming() * static_cast<count_t>(sizeof(T))); });
            static_cast<void>(bring(static_cast<T*>(entries_.data())));
            break;
        case Call::products:
            static_cast<void>(multiply(question));
            break;
        case Call::sizes_of_rows:
            static_cast<void>(gather_entries_of_rows(question.op));
            break;
    }
}

template <class T>
const RowOperator<T>& RankedSparse<T>::operator_of(Operation op) const {
    std::unique_ptr<const RowOperator<T>>& kept = operators_[static_cast<std::size_t>(op)];
    if (kept == nullptr)
        kept = std::make_unique<const RowOperator<T>>(team_.ranks(), rows_.pattern, rows_.value, op,
                                                      parallel_for_on(*session_, "product"));
    return *kept;
}

/// op(A) X = -(0 - op(A) X), with the weights of that residual.
template <class T>
ProductSums<T> RankedSparse<T>::multiply(const Question& question) const {
    const JobGuard guard(*session_);
    Communicator& ranks = team_.ranks();
    const RowOperator<T>& a = operator_of(question.op);
    const RowCuts& cuts = rows_.pattern->cuts;
    ProductSums<T> block, whole;
    const auto make_room = [&](ProductSums<T>& sums, index_t rows) {
        sums.product.resize(at(rows) * at(question.columns));
        sums.sizes.resize(sums.product.size());
    };
    collectively(ranks, [&] {
        make_room(block, a.rows());
        if (ranks.rank() == 0) make_room(whole, a.order());
    });
    const DenseView<T> r = columns_view(block.product, a.rows(), question.columns);
    const T* const first = question.x.data() + cuts.begin(ranks.rank());
    a.residual({first, a.rows(), question.columns, std::max(a.order(), 1)}, r, r, block.sizes.data());
    for (T& of_row : block.product) of_row = T(0) - of_row;
    gather_rows<T>(ranks, cuts, r, columns_view(whole.product, a.order(), question.columns));
    gather_rows<real_t<T>>(ranks, cuts, columns_view(block.sizes, a.rows(), question.columns),
                           columns_view(whole.sizes, a.order(), question.columns));
    return whole;
}

template <class T>
std::vector<index_t> RankedSparse<T>::gather_entries_of_rows(Operation op) const {
    return at_rank_0(team_.ranks(), operator_of(op).entries_of_rows());
}

template <class T>
ProductSums<T> RankedSparse<T>::sums(Operation op, std::vector<T> x, index_t columns) const {
    Question question;
    question.call = Call::products;
    question.op = op;
    question.columns = columns;
    question.x = std::move(x);
    team_.ask(Command::sparse, question);
    return multiply(question);
}

template <class T>
std::vector<index_t> RankedSparse<T>::entries_of_rows(Operation op) const {
    Question question;
    question.call = Call::sizes_of_rows;
    question.op = op;
    team_.ask(Command::sparse, question);
    return gather_entries_of_rows(op);
}

template <class T>
double RankedSparse<T>::bring_entries(T* mine) const {
    Question question;
    team_.ask(Command::sparse, question);
    collectively(team_.ranks(), [] {});  // the others take memory for what comes
    return bring(mine);
}

template <class T>
double RankedSparse<T>::bring(T* mine) const {
    return rows_.route->bring(team_.ranks(), *rows_.pattern, *rows_.value, *rows_.scaling, mine,
                              parallel_for_outside_jobs(*session_, "entries"));
}

#define FROND_INSTANTIATE(T) template class RankedSparse<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
