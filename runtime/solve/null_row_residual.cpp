// SPDX-License-Identifier: BSD-3-Clause
#include "solve/solve_parts.hpp"

#include <new>
#include <vector>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "solve/null_vectors.hpp"
#include "solve/orthonormalise.hpp"
#include "system/backward_error.hpp"

namespace frond::detail {
namespace {

template <class T>
class NullRowResidual {
public:
    NullRowResidual(const FactorsState<T>& state, const SolveOptions& options, FactorSolve<T>& inverse)
        : state_(state),
          options_(options),
          system_(state.system.linear_system(options.operation)),
          inverse_(inverse),
          n_(state.analysis->order) {
        make_left_null_vectors();
    }

    /// Changes x and error where that makes the error one that is accepted.
    void improve(DenseView<const T> b, DenseView<T> x, BackwardError& error) {
        std::vector<T> r(at(n_)), trial(at(n_));
        std::vector<real_t<T>> w(at(n_));
        const DenseView<T> rv{r.data(), n_, 1, n_}, tv{trial.data(), n_, 1, n_};
        system_.residual(x.as_const(), b, rv, w.data());
        make_denominators(system_, x.data, b.data, w.data());
        for (real_t<T>& size : w) size = size > 0 ? size : real_t<T>(1);
        subtract_borne(r, w);
        inverse_.apply(rv);
        for (index_t i = 0; i < n_; ++i) trial[at(i)] = x(i, 0) + r[at(i)];
        const BackwardError now = backward_errors<T>(system_, tv.as_const(), b, rv)[0];
        if (!(now.decisive() <= accepted_backward_error<T>(options_))) return;
        for (index_t i = 0; i < n_; ++i) x(i, 0) = trial[at(i)];
        error = now;
    }

private:
    /// y^H op(A) = 0: null vectors of A^H, and of A itself for the other operations.
    void make_left_null_vectors() {
        const auto& pivots = state_.report.pivots;
        const bool plain = options_.operation == Operation::none;
        const std::vector<index_t>& null = plain ? pivots.null_rows : pivots.small_columns;
        SolveOptions turned = options_;
        turned.operation = plain ? Operation::adjoint : Operation::none;
        y_.resize(at(n_) * null.size());
        const DenseView<T> y = columns(y_);
        for (index_t k = 0; k < y.cols; ++k) y(null[at(k)], k) = T(1);
        FactorSolve<T> inverse(state_, turned);
        complete_null_vectors(state_.system.linear_system(turned.operation), inverse, y);
        if (options_.operation == Operation::transpose)
            for (T& value : y_) value = conjugate(value);
    }

    DenseView<T> columns(std::vector<T>& of) const {
        return {of.data(), n_, static_cast<index_t>(of.size() / at(n_)), n_};
    }

    /// r := r - W Q Q^H W^-1 r, Q an orthonormal basis of the columns of W Y.
    void subtract_borne(std::vector<T>& r, const std::vector<real_t<T>>& w) {
        std::vector<T> q_values(y_);
        const DenseView<T> q = columns(q_values);
        for (index_t k = 0; k < q.cols; ++k)
            for (index_t i = 0; i < n_; ++i) q(i, k) *= w[at(i)];
        orthonormalise(q, options_.cancel);
        std::vector<T> share(at(q.cols));
        for (index_t k = 0; k < q.cols; ++k)
            for (index_t i = 0; i < n_; ++i) share[at(k)] += conjugate(q(i, k)) * (r[at(i)] / w[at(i)]);
        for (index_t k = 0; k < q.cols; ++k)
            for (index_t i = 0; i < n_; ++i) r[at(i)] -= w[at(i)] * q(i, k) * share[at(k)];
    }

    const FactorsState<T>& state_;
    const SolveOptions& options_;
    const LinearSystem<T>& system_;
    FactorSolve<T>& inverse_;
    index_t n_;
    std::vector<T> y_;
};

template <class T>
void improve_columns(const FactorsState<T>& state, DenseView<const T> b, DenseView<T> x, const SolveOptions& options,
                     FactorSolve<T>& inverse, RefinementReport& refined) {
    NullRowResidual<T> residual(state, options, inverse);
    for (index_t j = 0; j < x.cols; ++j) {
        BackwardError error{refined.normwise[at(j)], refined.componentwise[at(j)], refined.pure[at(j)], 0};
        if (error.componentwise <= accepted_backward_error<T>(options)) continue;
        residual.improve(b.block(0, j, b.rows, 1), x.block(0, j, x.rows, 1), error);
        refined.normwise[at(j)] = error.normwise;
        refined.componentwise[at(j)] = error.told();
        refined.pure[at(j)] = error.pure;
    }
}

}  // namespace

template <class T>
void share_residual_of_null_rows(const FactorsState<T>& state, DenseView<const T> b, DenseView<T> x,
                                 const SolveOptions& options, index_t most_vectors, FactorSolve<T>& inverse,
                                 RefinementReport& refined) {
    const auto& pivots = state.report.pivots;
    const std::size_t null = pivots.null_rows.size();
    if (state.report.status != FactorStatus::singular || null != pivots.small_columns.size()) return;
    if (null == 0 || null > at(most_vectors)) return;
    try {
        improve_columns(state, b, x, options, inverse, refined);
    } catch (const std::bad_alloc&) {
        refined.ran_out_of_memory = true;
    } catch (const OutOfMemory&) {
        refined.ran_out_of_memory = true;
    }
}

#define FROND_INSTANTIATE(T)                                                                               \
    template void share_residual_of_null_rows<T>(const FactorsState<T>&, DenseView<const T>, DenseView<T>, \
                                                 const SolveOptions&, index_t, FactorSolve<T>&, RefinementReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
