// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::detail {

template <class T>
class TreeFactors;

/// True: all factors are valid on their home node, the host, so that code outside of tasks may read them
/// there. Once true it stays true: nothing writes factors. Fetches nothing.
template <class T>
bool factors_on_host(const TreeFactors<T>& factors);

}  // namespace frond::detail
