// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/session.hpp"

#include <exception>
#include <utility>

namespace frond::cli {

/// body() on every rank of the session, with nothing in it that the ranks do together; what one rank throws, all do.
template <class Body>
void together(const Session& session, Body&& body) {
    std::exception_ptr error;
    try {
        std::forward<Body>(body)();
    } catch (...) {
        error = std::current_exception();
    }
    session.throw_on_all_ranks(std::move(error));
}

}  // namespace frond::cli
