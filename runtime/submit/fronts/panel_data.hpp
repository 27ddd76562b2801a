// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/flop_counts.hpp"
#include "submit/fronts/look_ahead.hpp"
#include "submit/fronts/submit_front.hpp"
#include "submit/fronts/task_work.hpp"

namespace frond::detail {

/// The data that the tasks of a panel read and write, of a front that is here or that several ranks share; and what these
/// tasks have in common.
template <class T>
class PanelData {
public:
    PanelData(const FactorizationContext<T>& context, FrontRun<T>& run)
        : context_(context),
          run_(run),
          front_(*run.tiled),
          lu_(run.tiled->kind() == Factorization::lu),
          indefinite_(has_block_diagonal(run.tiled->kind())) {}

    bool is_shared() const { return run_.panels != nullptr; }

    /// Tiles of panel k, and its record.
    DataRef lower_tile(index_t i, index_t k) const {
        return front_.is_here(i, k) ? front_.handle(i, k) : run_.panels->lower(i, k);
    }
    DataRef upper_tile(index_t k, index_t j) const {
        return front_.is_here(k, j) ? front_.handle(k, j) : run_.panels->upper(k, j);
    }
    DataRef record(index_t k) const { return front_.is_here(k, k) ? front_.record_handle(k) : run_.panels->record(k); }

    double size(index_t t) const { return front_.grid().size(t); }

    /// Work from panel k to the end of the root; of a front that other ranks share, from a panel that it goes before.
    int priority(index_t k, PanelRole role) const {
        const Analysis& analysis = *context_.state->analysis;
        const auto f = static_cast<std::size_t>(run_.front);
        const double done = static_cast<double>(is_shared() ? place_of_panel(k, role) : k) / front_.own_tiles();
        return context_.priority(analysis.mapping.bottom_level_flops[f] - done * analysis.cost.front_flops[f],
                                 static_cast<int>(role));
    }

    DataRef right_factor(index_t k, index_t j) const {
        if (lu_) return upper_tile(k, j);
        if (!indefinite_) return lower_tile(j, k);
        return is_shared() ? run_.panels->upper(k, j) : front_.backup_handle(j, k);
    }

    /// Place for a copy of tile (i, k) or its L D.
    DataRef backup(index_t i, index_t k, const TaskLabel& label) const {
        if (!is_shared()) return front_.backup_handle(i, k);
        if (lu_) {
            run_.panels->open_backup(*context_.job, i, k, label, priority(k, PanelRole::solve));
            return run_.panels->backup(i, k);
        }
        run_.panels->open_upper(*context_.job, k, i, label, priority(k, PanelRole::solve));
        return run_.panels->upper(k, i);
    }

    /// The arguments of a task on tile (i, j) by panel k.
    template <class Arguments>
    Arguments arguments(index_t i, index_t j, index_t k, double flops) const {
        Arguments a;
        a.flops = flops * flops_per_real<T>;
        a.seconds = &run_.seconds;
        a.place = run_.place;
        a.label = label_of(context_, run_, i, j, k);
        return a;
    }

private:
    const FactorizationContext<T>& context_;
    FrontRun<T>& run_;
    TiledFront<T>& front_;
    bool lu_, indefinite_;
};

}  // namespace frond::detail
