// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/subtree.hpp"

#include <cstddef>

namespace frond::cpu {

/// Finds the fronts with failed pivots while the sweep goes up or down the tree.
template <class T>
class SecondPassCursor {
public:
    SecondPassCursor(const SubtreeSecondPasses<T>* second_passes, bool upwards) {
        if (second_passes == nullptr || second_passes->empty()) return;
        step_ = upwards ? 1 : -1;
        left_ = second_passes->fronts.size();
        at_ = second_passes->fronts.data() + (upwards ? 0 : left_ - 1);
    }

    /// The second pass of front f, or null; f moves in the cursor's direction.
    const SecondPass<T>* find(index_t f) {
        if (left_ == 0 || at_->front != f) return nullptr;
        const SecondPass<T>* found = &at_->second_pass;
        if (--left_ > 0) at_ += step_;
        return found;
    }

private:
    const typename SubtreeSecondPasses<T>::FrontWithFailedPivots* at_ = nullptr;
    std::ptrdiff_t step_ = 1;
    std::size_t left_ = 0;
};

}  // namespace frond::cpu
