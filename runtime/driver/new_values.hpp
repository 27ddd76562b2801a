// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "frond/rank_part.hpp"
#include "frond/session.hpp"

namespace frond::detail {

/// Matrices that a driver fills with new values in the caller's order: one for the factors at hand and one for the
/// next, so that the pattern is copied twice at most.
template <class T>
class NewValues {
public:
    bool is_known() const noexcept { return list_ != nullptr; }
    void forget() noexcept { *this = {}; }
    /// The order of a matrix of this pattern, which is copied; input: what was found in the list.
    void set(std::shared_ptr<const ValueList> list, const SparseMatrix<T>& a, const InputReport& input);
    /// A matrix that nobody else has, with these values. report: what make_sparse would find in them.
    /// @throws InvalidArgument, InvalidMatrix
    std::shared_ptr<SparseMatrix<T>> filled(std::span<const T> values, const Session& session,
                                            InputReport* report = nullptr);
    /// It was factored, or was not: then it may be filled again.
    void keep(std::shared_ptr<SparseMatrix<T>> a, bool factored) noexcept;

    const ValueList& list() const noexcept { return *list_; }

private:
    std::shared_ptr<const ValueList> list_;
    InputReport input_;  // of the arrays that were analysed
    std::shared_ptr<SparseMatrix<T>> factored_, spare_;
};

}  // namespace frond::detail
