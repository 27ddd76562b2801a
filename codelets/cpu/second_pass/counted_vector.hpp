// SPDX-License-Identifier: BSD-3-Clause
// Vectors whose bytes stand on an account: capacity = size, so that the account is exact.
#pragma once

#include "frond/base/large_vector.hpp"
#include "frond/cpu/memory_account.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace frond::cpu {

template <class T>
count_t bytes_of(count_t scalars) {
    return scalars * static_cast<count_t>(sizeof(T));
}

/// `size` zeros.
template <class T>
HostVector<T> counted_vector(count_t size, MemoryAccount* account) {
    TakenBytes bytes(account, bytes_of<T>(size));
    HostVector<T> v(static_cast<std::size_t>(size));
    bytes.keep();
    return v;
}

/// Empty, with room for `size` scalars that the caller must fill.
template <class T>
HostVector<T> counted_room(count_t size, MemoryAccount* account) {
    TakenBytes bytes(account, bytes_of<T>(size));
    HostVector<T> v;
    v.reserve(static_cast<std::size_t>(size));
    bytes.keep();
    return v;
}

template <class T>
void free_counted(HostVector<T>& v, MemoryAccount* account) {
    const count_t bytes = bytes_of<T>(static_cast<count_t>(v.size()));
    HostVector<T>().swap(v);
    if (account != nullptr) account->give(bytes);
}

/// The first `size` scalars; copied unless that is all.
template <class T>
HostVector<T> leading_part(HostVector<T>&& v, count_t size, MemoryAccount* account) {
    if (size == static_cast<count_t>(v.size())) return std::move(v);
    HostVector<T> part = counted_room<T>(size, account);
    part.assign(v.begin(), v.begin() + size);
    free_counted(v, account);
    return part;
}

}  // namespace frond::cpu
