// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/shared_substitution.hpp"

#include <algorithm>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "substitution/tree/shared_plan.hpp"

namespace frond::detail {
namespace {

template <class T>
const TreeShare& share_of(const TreeFactors<T>& factors) {
    FROND_EXPECTS(!factors.ownership.is_alone(), "one process has all factors; solve with FactorSolve");
    return *factors.ownership.share;
}

}  // namespace

template <class T>
SharedSubstitution<T>::SharedSubstitution(const TreeFactors<T>& factors, const SharedSolve& solve, DenseView<T> x,
                                          Job& job, const DeviceShare<T>& devices, count_t most_message_bytes)
    : guard_(*factors.session),
      part_(solve.part),
      job_(job),
      plan_(plan_on_ranks(*factors.analysis, share_of(factors), solve.group_scalars)),
      routes_(position_routes(plan_.units, share_of(factors), factors.ownership.second_pass_positions)),
      workspaces_(Substitution<T>::workspace_bytes(*factors.analysis, std::min(solve.block_columns, x.cols))) {
    FROND_EXPECTS(x.rows == factors.analysis->order && solve.block_columns > 0,
                  "x has " + std::to_string(x.rows) + " rows in blocks of " + std::to_string(solve.block_columns) +
                      " columns, but the order of the matrix is " + std::to_string(factors.analysis->order));
    SharedBlock block;
    block.routes = &routes_;
    block.solver = solve.solver;
    block.call = solve.call;
    block.widest = std::min(solve.block_columns, x.cols);
    block.most_bytes = most_message_bytes;
    for (index_t first = 0; first < x.cols && x.rows > 0; first += solve.block_columns, ++block.number)
        blocks_.emplace_back(factors, plan_, solve.operation,
                             x.block(0, first, x.rows, std::min(solve.block_columns, x.cols - first)), job_,
                             workspaces_, block, devices);
}

/// What is thrown here comes from a message that could not be posted.
template <class T>
void SharedSubstitution<T>::run() {
    const auto has = [&](SolvePart part) { return part_ == SolvePart::all || part_ == part; };
    try {
        for (Substitution<T>& block : blocks_) {
            if (has(SolvePart::forward)) block.forward();
            if (has(SolvePart::diagonal)) block.diagonal();
            if (has(SolvePart::backward)) block.backward();
        }
    } catch (...) {
        job_.fail(std::current_exception());
    }
    job_.wait();
    for (const Substitution<T>& block : blocks_) block.bring_to_host();
}

template <class T>
void substitute_shared(const TreeFactors<T>& factors, const SharedSolve& solve, DenseView<T> x, Job& job) {
    SharedSubstitution<T>(factors, solve, x, job).run();
}

#define FROND_INSTANTIATE(T)              \
    template class SharedSubstitution<T>; \
    template void substitute_shared<T>(const TreeFactors<T>&, const SharedSolve&, DenseView<T>, Job&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
