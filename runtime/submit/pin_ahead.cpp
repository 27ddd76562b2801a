// SPDX-License-Identifier: BSD-3-Clause
#include "submit/pin_ahead.hpp"

#include <algorithm>
#include <utility>

#include "frond/codelets/time_models.hpp"
#include "memory/free_memory.hpp"
#include "memory/tree_room.hpp"
#include "submit/whole_tree/place_factors.hpp"

namespace frond::detail {
namespace {

/// Gives back what was begun, with the last owner of the analysis.
class KeptAhead {
public:
    KeptAhead(std::shared_ptr<const Analysis> analysis, std::weak_ptr<SessionState> session, count_t number)
        : analysis_(std::move(analysis)), session_(std::move(session)), number_(number) {}
    KeptAhead(const KeptAhead&) = delete;
    KeptAhead& operator=(const KeptAhead&) = delete;
    ~KeptAhead() {
        if (const std::shared_ptr<SessionState> session = session_.lock()) session->pinned_ahead().give_back(number_);
    }
    const Analysis* analysis() const noexcept { return analysis_.get(); }

private:
    std::shared_ptr<const Analysis> analysis_;
    std::weak_ptr<SessionState> session_;
    count_t number_;
};

/// Parts of factors of which pieces have so much room fill it.
count_t block_of_parts(count_t room_bytes) {
    constexpr count_t usual_bytes = count_t{256} << 20;
    const count_t part = most_part_bytes(room_bytes);
    return part * std::max<count_t>(usual_bytes / part, 1);
}

}  // namespace

/// A front and its children are in levels that have room at one time, next to the factors of a whole tree. The shares
/// are bounds from plans of five problems with a half, a quarter and an eighth of the room that each takes. Where such
/// levels take up to half of the room, their contribution blocks stay there, and factors in a third of it. Else blocks
/// go to the host, too, the more of them the larger they are, and next to all factors, to which merged fronts add 4 to
/// 10%.
count_t bytes_ahead(const CountedTree& tree, Factorization kind, count_t scalar_bytes, count_t room_bytes) {
    const auto factors = static_cast<double>(counted_entries(tree, kind) * scalar_bytes);
    const auto squares = static_cast<double>(counted_squares(tree) * scalar_bytes);
    const auto room = static_cast<double>(std::max<count_t>(room_bytes, 0));
    if (factors + squares <= room) return 0;
    const double of_blocks = room > 0 ? std::clamp((squares / room - 0.4) / 2, 0.0, 1.0) : 1.0;
    const double of_factors = squares <= room / 2 ? factors - room / 3 : 1.06 * factors;
    return static_cast<count_t>(of_factors + of_blocks * squares);
}

void AheadOfFactorization::begin(const CountedTree& tree, Factorization kind, count_t scalar_bytes) {
    if (simulates() || !session_->has_devices()) return;
    const std::vector<gpu::Device> devices = gpu::devices();
    if (devices.empty()) return;
    count_t room = -session_->held_bytes();
    for (const gpu::Device& device : devices) room += room_for_tree(device);
    const count_t bytes = bytes_ahead(tree, kind, scalar_bytes, room);
    if (bytes <= 0 || bytes > free_memory_bytes() / 2) return;
    number_ = session_->pinned_ahead().begin(bytes, block_of_parts(room_for_tree(devices.front())));
}

AheadOfFactorization::~AheadOfFactorization() {
    if (number_ > 0) session_->pinned_ahead().give_back(number_);
}

std::shared_ptr<const Analysis> AheadOfFactorization::kept_by(std::shared_ptr<const Analysis> analysis) {
    if (number_ == 0) return analysis;
    const auto kept = std::make_shared<const KeptAhead>(std::move(analysis), session_, number_);
    number_ = 0;
    return {kept, kept->analysis()};
}

}  // namespace frond::detail
