// SPDX-License-Identifier: BSD-3-Clause
// Substitution by several ranks.
#include <array>
#include <span>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/tree/rank_tree.hpp"
#include "ranks/collectively.hpp"
#include "ranks/parcels.hpp"
#include "substitution/branches/ready_branches.hpp"
#include "substitution/tree/shared_substitution.hpp"

namespace frond::detail {
namespace {

struct SubstituteCommand {
    std::int64_t number = 0, factors = 0;
    SharedSolve solve;
    index_t rhs = 0;

    template <class Archive>
    void visit(Archive& archive) {
        archive(number, factors, solve, rhs);
    }
};

}  // namespace

/// The layouts, which are the same for all solves with the same factors.
template <class T>
const SolveLayouts& RankTree<T>::layouts(const FactorsState<T>& state, SolvePart part) {
    if (!layouts_ || layouts_->number != state.factors.ownership.share->number || layouts_->part != part)
        layouts_ = {state.factors.ownership.share->number, part,
                    solve_layouts(*state.analysis, *state.factors.ownership.share,
                                  state.factors.ownership.second_pass_positions, part)};
    return layouts_->layouts;
}

template <class T>
void RankTree<T>::scatter(const SolveLayout& layout, DenseView<const T> whole, DenseView<T> mine) {
    Communicator& ranks = team_.ranks();
    std::vector<count_t> out_sizes(at(ranks.size()), 0), in_sizes(at(ranks.size()), 0);
    LargeVector<T> out, in;
    collectively(ranks, [&] {
        for (index_t r = 1; r < ranks.size() && ranks.rank() == 0; ++r) {
            LargeVector<T> part = layout.pack(r, whole);
            out_sizes[at(r)] = static_cast<count_t>(part.size());
            if (out.empty())
                out.swap(part);
            else
                out.insert(out.end(), part.begin(), part.end());
        }
        if (ranks.rank() > 0) in_sizes[0] = layout.positions(ranks.rank()) * mine.cols;
        in.resize(at(in_sizes[0]));
    });
    exchange_parcels<T>(ranks, out, begin_of_sizes(out_sizes), in, begin_of_sizes(in_sizes));
    if (ranks.rank() > 0) layout.unpack(ranks.rank(), std::span<const T>(in), mine);
}

template <class T>
void RankTree<T>::gather(const SolveLayout& layout, DenseView<const T> mine, DenseView<T> whole) {
    Communicator& ranks = team_.ranks();
    std::vector<count_t> out_sizes(at(ranks.size()), 0), in_sizes(at(ranks.size()), 0);
    LargeVector<T> out, in;
    collectively(ranks, [&] {
        if (ranks.rank() > 0) out = layout.pack(ranks.rank(), mine);
        out_sizes[0] = static_cast<count_t>(out.size());
        for (index_t r = 1; r < ranks.size() && ranks.rank() == 0; ++r)
            in_sizes[at(r)] = layout.positions(r) * whole.cols;
        count_t all = 0;
        for (const count_t size : in_sizes) all += size;
        in.resize(at(all));
    });
    const std::vector<count_t> in_begin = begin_of_sizes(in_sizes);
    exchange_parcels<T>(ranks, out, begin_of_sizes(out_sizes), in, in_begin);
    for (index_t r = 1; r < ranks.size() && ranks.rank() == 0; ++r)
        layout.unpack(r, std::span<const T>(in.data() + in_begin[at(r)], at(in_sizes[at(r)])), whole);
}

template <class T>
std::int64_t RankTree<T>::begin_substitution(const FactorsState<T>& state, SharedSolve& solve, DenseView<const T> x) {
    SubstituteCommand command;
    command.number = ++number_;
    solve.solver = solver_;
    solve.call = number_ % (std::int64_t{1} << MessageTag::call_bits);
    command.factors = state.factors.ownership.share->number;
    command.solve = solve;
    command.rhs = x.cols;
    Packer pack;
    command.visit(pack);
    team_.command(Command::substitute, pack);
    const SolveLayouts* known = nullptr;
    collectively(team_.ranks(), [&] { known = &layouts(state, solve.part); });
    scatter(known->before, x, {});
    begin_counting();
    return command.number;
}

/// One reduction, where there is no error.
template <class T>
AgreedPlace RankTree<T>::agree(std::exception_ptr error, BranchPlace mine) {
    const index_t ranks = team_.ranks().size(), last = ranks - 1;
    std::array<count_t, 2> values{error != nullptr ? 1 : 0,
                                  static_cast<count_t>(mine) * ranks + last - team_.ranks().rank()};
    team_.ranks().all_reduce_max(values);
    if (values[0] != 0) throw_together(team_.ranks(), std::move(error));
    return {static_cast<BranchPlace>(values[1] / ranks), static_cast<index_t>(last - values[1] % ranks)};
}

template <class T>
void RankTree<T>::end_substitution(const FactorsState<T>& state, const SharedSolve& solve, std::exception_ptr error,
                                   DenseView<T> x) {
    team_.throw_cause(std::move(error));
    end_counting();
    const SolveLayouts* known = nullptr;
    collectively(team_.ranks(), [&] { known = &layouts(state, solve.part); });
    gather(known->after, {}, x);
}

template <class T>
void RankTree<T>::serve_substitution(Unpacker& arguments) {
    SubstituteCommand command;
    std::shared_ptr<FactorsState<T>> state;
    const SolveLayouts* known = nullptr;
    HostBlock memory;
    DenseView<T> x;
    collectively(team_.ranks(), [&] {
        command.visit(arguments);
        number_ = command.number;
        state = factors_.at(command.factors);
        known = &layouts(*state, command.solve.part);
        const index_t n = state->analysis->order;
        memory = HostBlock(static_cast<count_t>(n) * command.rhs * static_cast<count_t>(sizeof(T)));
        x = {static_cast<T*>(memory.data()), n, command.rhs, n};
    });
    scatter(known->before, {}, x);
    begin_counting();
    Job job(starpu_engine(), &team_.board().stop());
    ReadyBranches<T> branches;
    std::optional<SharedSubstitution<T>> own;
    std::exception_ptr error;
    try {
        branches = ready_branches(state->factors, command.solve, command.rhs);
        own.emplace(state->factors, command.solve, x, job, branches.of_device());
    } catch (...) {
        error = std::current_exception();
    }
    static_cast<void>(agree(std::exchange(error, nullptr), branches.place));
    {
        const JobWatch<OtherRanks<T>> watch(*this, job, command.number);
        try {
            own->run();
        } catch (...) {
            error = std::current_exception();
        }
    }
    team_.throw_cause(std::move(error));
    end_counting();
    collectively(team_.ranks(), [] {});
    gather(known->after, x, {});
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template const SolveLayouts& RankTree<T>::layouts(const FactorsState<T>&, SolvePart);                            \
    template void RankTree<T>::scatter(const SolveLayout&, DenseView<const T>, DenseView<T>);                        \
    template void RankTree<T>::gather(const SolveLayout&, DenseView<const T>, DenseView<T>);                         \
    template std::int64_t RankTree<T>::begin_substitution(const FactorsState<T>&, SharedSolve&, DenseView<const T>); \
    template AgreedPlace RankTree<T>::agree(std::exception_ptr, BranchPlace);                                        \
    template void RankTree<T>::end_substitution(const FactorsState<T>&, const SharedSolve&, std::exception_ptr,      \
                                                DenseView<T>);                                                       \
    template void RankTree<T>::serve_substitution(Unpacker&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
