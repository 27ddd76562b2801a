// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/ranked_sparse.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/asked_products.hpp"
#include "ranks/collectively.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {

template <class T>
RankedSparse<T>::RankedSparse(Team& team, std::shared_ptr<SessionState> session, ScaledRows<T> rows)
    : team_(team),
      session_(std::move(session)),
      rows_(std::move(rows)),
      products_(rows_.pattern, rows_.value, parallel_for_on(*session_, "product")) {}

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
            static_cast<void>(products_.entries_of_rows(team_.ranks(), question.op));
            break;
    }
}

template <class T>
typename RowProducts<T>::Sums RankedSparse<T>::multiply(const Question& question) const {
    const JobGuard guard(*session_);
    const index_t n = rows_.pattern->cuts.order();
    return products_.apply(team_.ranks(), question.op, {question.x.data(), n, question.columns, std::max(n, 1)});
}

template <class T>
std::shared_ptr<const DenseOperator<T>> RankedSparse<T>::products(Operation op) const {
    const auto ask = [this, op](std::vector<T> x, index_t columns) {
        Question question;
        question.call = Call::products;
        question.op = op;
        question.columns = columns;
        question.x = std::move(x);
        team_.ask(Command::sparse, question);
        return multiply(question);
    };
    return std::make_shared<const AskedProducts<T, typename RowProducts<T>::Sums>>(rows_.pattern->cuts.order(), ask);
}

template <class T>
std::vector<index_t> RankedSparse<T>::entries_of_rows(Operation op) const {
    Question question;
    question.call = Call::sizes_of_rows;
    question.op = op;
    team_.ask(Command::sparse, question);
    return products_.entries_of_rows(team_.ranks(), op);
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
