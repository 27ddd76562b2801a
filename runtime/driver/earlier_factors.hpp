// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <new>
#include <optional>

#include "frond/base/error.hpp"
#include "frond/solver.hpp"
#include "submit/choose_scaling.hpp"
#include "submit/scaled_entries.hpp"

namespace frond::detail {

/// What factors were made of: how they are made again, when they are gone.
template <class T>
class FactoredMatrix {
public:
    explicit FactoredMatrix(const FactorsState<T>& state);

    /// Makes factors by the same analysis.
    Factors<T> factorize(const FactorOptions& options) const;
    /// A or, if A is known by its products alone, its diagonal.
    const SparseMatrix<T>& entries() const noexcept { return *matrix_; }
    const FactorReport& report() const noexcept { return report_; }

private:
    std::shared_ptr<SessionState> session_;
    std::shared_ptr<const Analysis> analysis_;
    SharedMatrix<T> matrix_;
    std::optional<DenseMatrixView<T>> dense_;  // A itself
    bool is_in_rows_ = false;  // of all processes
    ChosenScaling scaling_;
    FactorReport report_;
};

/// The factors that a Solver has while others are made, so that they are there again when those fail. They stay in
/// memory where both together are small; else they go first, and restore() makes them again.
template <class T>
class EarlierFactors {
public:
    /// factors: the Solver's, which must outlive this, or none; made_with: their options.
    EarlierFactors(Factors<T>& factors, FactorOptions made_with);

    /// What make(options) gives; of a given budget the earlier factors take their part while they stay.
    /// next, a: what make will factor; known_finite: the values of a were looked at.
    template <class Make>
    Factors<T> beside(const Analysis& next, const SparseMatrix<T>& a, bool known_finite, const FactorOptions& options,
                      const Make& make) {
        if (!factors_) return make(options);
        if (have_room_beside(next, options)) {
            try {
                Factors<T> made = make(within(options));
                leave_rest_to_solves(made, options);
                return made;
            } catch (const MemoryBudgetExceeded&) {
            } catch (const OutOfMemory&) {
            } catch (const DeviceError&) {  // others may have taken its memory
            } catch (const std::bad_alloc&) {
            }
        }
        if (!known_finite) expect_finite(a);
        expect_no_refusal(next, options);
        let_go();
        return make(options);
    }

    /// After an error: gives the earlier factors back to the Solver, or leaves it without factors if not even that
    /// succeeds.
    void restore() noexcept;

private:
    bool have_room_beside(const Analysis& next, const FactorOptions& options) const;
    bool have_room_on_device(const Analysis& next) const;
    FactorOptions within(FactorOptions options) const;
    void leave_rest_to_solves(Factors<T>& made, const FactorOptions& options) const;
    void expect_no_refusal(const Analysis& next, const FactorOptions& options) const;
    void let_go();

    Factors<T>& factors_;
    FactorOptions made_with_;
    std::optional<FactoredMatrix<T>> gone_;
};

}  // namespace frond::detail
