// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "factors/factors_state.hpp"
#include "factors/place_factors.hpp"
#include "frond/gpu/resident_factorization.hpp"
#include "memory/predict_peak.hpp"
#include "submit/failed_pivots.hpp"

namespace frond::detail {

/// What the factorization of a whole tree on a device keeps for the next one of the same analysis.
template <class T>
struct TreeWorkspace final : DeviceWorkspace {
    explicit TreeWorkspace(std::shared_ptr<const Analysis> of) : failed(std::move(of)) {}

    FailedPivots failed;
    HostBlock host_room;  // pinned; before `resident`, which uses it
    std::unique_ptr<gpu::ResidentFactorization<T>> resident;  // of failed.analysis(); null: it was given up
    std::shared_ptr<const FactorLayout<T>> layout;  // of the same; made when first used
    DataHandle values;  // resident's host_values()
    gpu::PivotSearch search = gpu::PivotSearch::block;  // wider once pivots of L U have failed
    bool factors_on_host = false;  // which have no room on the device
    bool was_used = false;  // its memory is there
    bool has_factored = false;
    bool pivots_failed = false;  // the last time
    index_t times_given_up = 0, factorizations_to_skip = 0;
    count_t launches = 0;
    count_t room_bytes = 0;  // that it was planned for
    std::vector<gpu::Device> devices;
    std::size_t offered = 0;  // devices; of which perhaps only the first was taken

    count_t device_bytes() const noexcept override { return was_used && resident != nullptr ? resident->bytes() : 0; }
};

/// The one that the session kept, if it is of this analysis and as good as a new one; else a new one: with the
/// factors on the device and all fronts of a level at once; where that does not fit with a tree cut into parts; where
/// that does not, either, with factors on the host. Several devices are left for the first where they do not fit.
/// devices: as gpu::devices(), the first with room_bytes, others with room_of.
template <class T>
std::unique_ptr<TreeWorkspace<T>> tree_workspace(const FactorsState<T>& state, const std::vector<gpu::Device>& devices,
                                                 count_t room_bytes);

/// Plans for failed.analysis() anew, with the same devices; what was there goes.
template <class T>
void plan_anew(TreeWorkspace<T>& workspace);
/// Leaves the analysis to tasks, for twice as many factorizations as the last time.
template <class T>
void give_up(TreeWorkspace<T>& workspace);

/// Of a device's memory; the rest is for what else StarPU has there.
count_t room_of(const gpu::Device& device) noexcept;

/// Of the factors' layout, which is made when first asked for.
template <class T>
const std::vector<count_t>& part_bytes(TreeWorkspace<T>& workspace);

/// Bytes of the first device that it takes, factors included where they are there.
template <class T>
count_t bytes_on_device(const TreeWorkspace<T>& workspace);
/// Bytes of the host: of factors there and of contribution blocks that wait there.
template <class T>
count_t bytes_on_host(const TreeWorkspace<T>& workspace, const PeakPrediction& predicted);
/// Empty when it fits devices and host, else what it lacks. budget_bytes: of the host, 0: what is free.
template <class T>
std::string does_not_fit(const TreeWorkspace<T>& workspace, SessionState& session, const PeakPrediction& predicted,
                         count_t room_bytes, count_t budget_bytes);

}  // namespace frond::detail
