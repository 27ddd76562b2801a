// SPDX-License-Identifier: BSD-3-Clause
// What is made anew for each factorization, in memory that the system need not clear again.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "frond/base/large_vector.hpp"
#include "frond/base/types.hpp"

namespace frond::detail {

/// Keeps so many objects that were made and are not used any more.
template <class Object, std::size_t most>
class Reused {
public:
    /// An object as it was left, or an empty one. Nobody else has it until what is returned is gone.
    std::shared_ptr<Object> take() {
        for (std::shared_ptr<Kept>& kept : kept_)
            if (kept != nullptr && !kept->is_taken.exchange(true)) return shared(kept);
        std::rotate(kept_.begin(), kept_.end() - 1, kept_.end());
        kept_.front() = std::make_shared<Kept>();
        return shared(kept_.front());
    }

    /// visit(object) for all that are kept, used or not.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const std::shared_ptr<Kept>& kept : kept_)
            if (kept != nullptr) visit(kept->object);
    }

private:
    struct Kept {
        Object object;
        std::atomic<bool> is_taken{true};
    };
    static std::shared_ptr<Object> shared(std::shared_ptr<Kept> kept) {
        Object* const object = &kept->object;
        return {object, [of = std::move(kept)](Object*) { of->is_taken = false; }};
    }
    std::array<std::shared_ptr<Kept>, most> kept_;  // the latest first
};

/// Memory for values on their way to row blocks, and in them: those of the present factors, and the next.
template <class T>
struct ValueMemory {
    LargeVector<T> out, in;
    Reused<LargeVector<T>, 2> values;

    /// The bytes of all lists without the largest list of values.
    count_t bytes_beside_values() const {
        std::size_t all = out.capacity() + in.capacity(), largest = 0;
        values.for_each([&](const LargeVector<T>& list) {
            all += list.capacity();
            largest = std::max(largest, list.capacity());
        });
        return static_cast<count_t>((all - largest) * sizeof(T));
    }
};

}  // namespace frond::detail
