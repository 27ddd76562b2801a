// SPDX-License-Identifier: BSD-3-Clause
// Calls that a solver leaves to its ranks.
#pragma once

#include "frond/solver.hpp"
#include "ranked/ranked_solver.hpp"

namespace frond {

// Only one Solver holds the factors while others may be made in their memory.
template <class T>
template <class Call>
void Solver<T>::on_ranks(const Call& call) {
    struct Results {
        Solver& of;
        ~Results() {
            of.analysis_ = of.ranks_->whole().analysis();
            of.factors_ = of.ranks_->whole().factors();
            of.input_report_ = of.ranks_->input_report();
        }
    };
    factors_ = {};
    const Results results{*this};
    call();
}

}  // namespace frond
