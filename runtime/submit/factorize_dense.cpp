// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factorize_dense.hpp"

#include <chrono>
#include <utility>

#include "factors/factors_state.hpp"
#include "factors/other_ranks.hpp"
#include "factors/state_of.hpp"
#include "frond/analysis/dense_steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/many_failed_columns.hpp"
#include "session/parallel_for.hpp"
#include "submit/factorize_matrix.hpp"

namespace frond::detail {
namespace {

/// A before it is analysed, whoever has it.
template <class T>
class DenseInput {
public:
    DenseInput(const DenseMatrixView<T>& a, const ParallelFor& parallel_for) : view_(a), parallel_for_(parallel_for) {
        if (const OtherRanks<T>* const others = OtherRanks<T>::of_this_thread()) ranks_ = others->dense_matrix();
        if (ranks_ == nullptr) check_dense_matrix(a);  // where several ranks have it, all have checked their parts
        diagonal_ = std::make_shared<const SparseMatrix<T>>(
            ranks_ == nullptr ? diagonal_of(a) : canonical_diagonal(ranks_->diagonal(), a.symmetry));
    }

    DenseFacts facts() const {
        const auto may_be = [this] {
            const std::vector<double> root = roots_of_diagonal(*diagonal_);
            if (view_.order > 0 && root.empty()) return false;
            return ranks_ != nullptr ? ranks_->may_be_definite(root) : may_be_definite(view_, root);
        };
        const index_t block = ranks_ != nullptr ? ranks_->tile_of_layout() : 0;
        return {view_.order, view_.symmetry, is_complex<T>, may_be, block};
    }

    void give_to(System<T>& system, bool is_unpivoted) const {
        if (ranks_ != nullptr)
            system.form = PartOfDense<T>{view_};
        else
            system.form = view_;
        system.matrix = diagonal_;
        system.scaling = std::make_shared<const Scaling>(scaling(*system.analysis, is_unpivoted, system.largest_entry));
    }

private:
    /// The scaling follows the rule of sparse matrices: L L^H needs none while the exponents of the diagonal are moderate. Entries
    /// are looked at in any case, for their finiteness and the largest.
    Scaling scaling(const Analysis& analysis, bool is_unpivoted, double& largest) const {
        const auto maxima_of = [this](const Scaling& scaling) {
            return ranks_ != nullptr ? ranks_->maxima(scaling) : dense_maxima(view_, scaling, parallel_for_);
        };
        if (analysis.options.scaling != ScalingMethod::none &&
            !needs_no_scaling(*diagonal_, analysis, is_unpivoted, parallel_for_))
            return equilibrate_dense(view_.order, view_.symmetry, maxima_of, largest);
        largest = maxima_of({}).largest();
        return {};
    }

    const DenseMatrixView<T>& view_;
    const ParallelFor& parallel_for_;
    std::shared_ptr<const DenseRanks<T>> ranks_;  // null: all of A is in view_
    SharedMatrix<T> diagonal_;
};

template <class T>
void begin_anew(FactorsState<T>& state, SelectsRows selects_rows) {
    state.factors.drop();
    state.factors.selects_rows = selects_rows;
    state.report = {};
}

}  // namespace

/// Where too many columns fail, again with exchanges of rows; where columns fail then, too, on several ranks, on rank 0
/// alone, whose second pass has them.
template <class T>
Factors<T> factorize_dense(const std::shared_ptr<SessionState>& session, const DenseMatrixView<T>& a,
                           const AnalysisOptions& analysis_options, const FactorOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const ParallelFor parallel_for = parallel_for_outside_jobs(*session, "scaling");
    const DenseInput<T> input(a, parallel_for);
    auto state = std::make_shared<FactorsState<T>>(session, analyze_dense(input.facts(), analysis_options));
    input.give_to(state->system, options.pivoting == Pivoting::none);
    const auto seconds = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    try {
        return factorize_state(state, options, seconds());
    } catch (const ManyFailedColumns&) {
        begin_anew(*state, SelectsRows::all_ranks);
    }
    try {
        return factorize_state(state, options, seconds());
    } catch (const ManyFailedColumns&) {
        begin_anew(*state, SelectsRows::rank_0);
    }
    return factorize_state(std::move(state), options, seconds());
}

#define FROND_INSTANTIATE(T)                                                                                \
    template Factors<T> factorize_dense<T>(const std::shared_ptr<SessionState>&, const DenseMatrixView<T>&, \
                                           const AnalysisOptions&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
