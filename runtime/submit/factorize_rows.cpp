// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factorize_rows.hpp"

#include <utility>

#include "factors/factors_state.hpp"
#include "frond/base/instantiate.hpp"
#include "submit/factorize_matrix.hpp"

namespace frond::detail {

template <class T>
Factors<T> factorize_rows(const std::shared_ptr<SessionState>& session, std::shared_ptr<const Analysis> part,
                          SharedMatrix<T> diagonal, std::shared_ptr<const Scaling> scaling,
                          const FactorOptions& options) {
    auto state = std::make_shared<FactorsState<T>>(session, part);
    state->system.form = RowsOfSparse{};
    state->system.matrix = std::move(diagonal);
    state->system.scaling = std::move(scaling);
    return factorize_state(std::move(state), options, 0);
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template Factors<T> factorize_rows<T>(const std::shared_ptr<SessionState>&, std::shared_ptr<const Analysis>, \
                                          SharedMatrix<T>, std::shared_ptr<const Scaling>, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
