// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"

namespace frond::detail {

/// A job has stopped here because it did on another rank, which knows the cause.
class StoppedElsewhere : public RuntimeError {
public:
    StoppedElsewhere() : RuntimeError("another rank has stopped") {}
};

}  // namespace frond::detail
