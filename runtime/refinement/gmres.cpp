// SPDX-License-Identifier: BSD-3-Clause
#include "refinement/gmres.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "refinement/flexible_gmres.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace frond {
namespace {

/// Restarts of fewer rarely gain anything.
constexpr index_t fewest_vectors = 4;

/// A GMRES with as many vectors as there is memory for; null: not even for a few.
template <class T>
std::unique_ptr<FlexibleGmres<T>> widest_gmres(const LinearSystem<T>& system, const ApplyBlock<T>& inverse,
                                               const GmresOptions& options) {
    for (index_t restart = options.restart; restart >= std::min(options.restart, fewest_vectors); restart /= 2) try {
            return std::make_unique<FlexibleGmres<T>>(system, inverse, options, restart);
        } catch (const std::bad_alloc&) {
        }
    return nullptr;
}

}  // namespace

template <class T>
count_t gmres_bytes(index_t order, index_t restart) {
    const count_t m = restart, sum = static_cast<count_t>(sizeof(Accumulator<T>));
    return (2 * m + 4) * order * static_cast<count_t>(sizeof(T)) + 2 * order * static_cast<count_t>(sizeof(real_t<T>)) +
           (m * (m + 5) + row_chunks(order) * (m + 1)) * sum;
}

template <class T>
void gmres(const LinearSystem<T>& system, DenseView<const T> b, const ApplyBlock<T>& inverse, DenseView<T> x,
           const GmresOptions& options, RefinementReport& report) {
    FROND_EXPECTS(options.restart > 0, "restart must be positive");
    FROND_EXPECTS(report.converged.size() == static_cast<std::size_t>(x.cols),
                  "the report must be of these right-hand sides");
    if (report.all_converged()) return;
    const auto solver = widest_gmres<T>(system, inverse, options);
    report.ran_out_of_memory = report.ran_out_of_memory || solver == nullptr;
    if (solver == nullptr) return;
    const StepRule rule{refinement_target<T>(options.target)};
    for (index_t k = 0; k < x.cols; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (report.converged[at] != 0) continue;
        BackwardError best{report.normwise[at], report.componentwise[at], report.pure[at], 0};
        bool refused = false;
        try {
            const index_t iterations = solver->improve(b.column(k), x.column(k), best);
            report.krylov_iterations = std::max(report.krylov_iterations, iterations);
        } catch (const std::bad_alloc&) {
            refused = true;
        } catch (const OutOfMemory&) {
            refused = true;
        }
        report.normwise[at] = best.normwise;
        report.componentwise[at] = best.told();
        report.pure[at] = best.pure;
        report.converged[at] = rule.is_done(best);
        if (!refused) continue;
        report.ran_out_of_memory = true;
        return;
    }
}

#define FROND_INSTANTIATE(T)                                                                               \
    template count_t gmres_bytes<T>(index_t, index_t);                                                     \
    template void gmres<T>(const LinearSystem<T>&, DenseView<const T>, const ApplyBlock<T>&, DenseView<T>, \
                           const GmresOptions&, RefinementReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
