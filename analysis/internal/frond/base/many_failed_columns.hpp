// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "frond/base/error.hpp"

namespace frond {

/// More columns of a front have failed than whoever set a bound accepts, since another way to factor the front is quicker
/// then. That one catches it, also where a task of another rank has thrown it.
class ManyFailedColumns : public RuntimeError {
public:
    explicit ManyFailedColumns(index_t columns) : ManyFailedColumns(std::to_string(columns) + " columns have failed") {}
    explicit ManyFailedColumns(const std::string& message) : RuntimeError(message) {}
};

}  // namespace frond
