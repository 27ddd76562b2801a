// SPDX-License-Identifier: BSD-3-Clause
// What a session keeps of the tree that was factored on a device last, and less room there.
#pragma once

#include "factors/place_factors.hpp"
#include "factors/state_of.hpp"
#include "memory/tree_room.hpp"
#include "run_both.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

#include <optional>
#include <utility>

namespace frond::test {

struct KeptTree {
    const void* plan = nullptr;  // another one wherever the tree was planned anew
    bool searches = false;  // some fronts, for pivots of L U
    bool is_in_parts = false, factors_on_host = false;
    count_t tree_bytes = 0, factor_bytes = 0;  // of the device
    index_t pieces = 0, core_pieces = 0;
    bool without_cores = false;
    count_t strips = 0, saved_host_bytes = 0;
};

/// None without a device, and where the tree was given up.
template <class T>
std::optional<KeptTree> kept_tree(const Session& of = device_session()) {
    detail::SessionState& session = *detail::state_of(of);
    std::unique_ptr<detail::DeviceWorkspace> workspace = session.take_workspace();
    std::optional<KeptTree> kept;
    const auto* const tree = dynamic_cast<const detail::TreeWorkspace<T>*>(workspace.get());
    if (tree != nullptr && tree->resident != nullptr)
        kept = {tree->resident.get(),
                tree->failed.searches(),
                tree->resident->is_in_parts(),
                tree->factors_on_host(),
                tree->resident->bytes(),
                detail::factor_bytes_on_device<T>(*tree->failed.analysis()),
                static_cast<index_t>(tree->resident->pieces().size()),
                static_cast<index_t>(tree->core_pivots.size()),
                tree->without_cores,
                tree->resident->strips(),
                tree->resident->host_bytes()};
    if (workspace != nullptr) session.keep_workspace(std::move(workspace));
    return kept;
}

/// While one lives, small trees are cut into many pieces.
class SmallPieces {
public:
    SmallPieces() { gpu::force_small_pieces(++alive() > 0); }
    SmallPieces(const SmallPieces&) = delete;
    SmallPieces& operator=(const SmallPieces&) = delete;
    ~SmallPieces() { gpu::force_small_pieces(--alive() > 0); }

private:
    static int& alive() {
        static int count = 0;
        return count;
    }
};

/// While it lives, the first device has so many bytes for a factorization; without a device nothing is done.
class LimitedRoom final : public detail::DeviceHold {
public:
    explicit LimitedRoom(count_t left_bytes) {
        const std::optional<gpu::Device> device = gpu::first_device();
        if (device) held_bytes_ = detail::room_for_tree(*device) - left_bytes;
        detail::state_of(device_session())->add_hold(*this);
    }
    LimitedRoom(const LimitedRoom&) = delete;
    LimitedRoom& operator=(const LimitedRoom&) = delete;
    ~LimitedRoom() { detail::state_of(device_session())->remove_hold(*this); }

    void release_device() override {}
    void store_factors(const std::atomic<bool>*) override {}
    count_t device_bytes() const noexcept override { return held_bytes_; }

private:
    SmallPieces small_pieces_;
    count_t held_bytes_ = 0;
};

}  // namespace frond::test
