// SPDX-License-Identifier: BSD-3-Clause
// Whole fronts under threshold pivoting: as the static factorization when all pivots pass, given up
// before the contribution changes when one does not.
#include "frond/cpu/kernels.hpp"
#include "threshold_checks.hpp"

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
struct ThresholdFront {
    Factorization kind;
    GuardedMatrix<T> panel, upper, contribution;
    std::vector<T> pivots;
    std::vector<index_t> perm;
    PivotReport report;

    ThresholdFront(Factorization kind_, index_t npiv, index_t ncb)
        : kind(kind_),
          panel(npiv + ncb, npiv),
          upper(kind_ == Factorization::lu ? npiv : 0, ncb),
          contribution(ncb, ncb),
          pivots(2 * static_cast<std::size_t>(npiv)),
          perm(static_cast<std::size_t>(npiv)) {
        const bool full = kind == Factorization::lu;
        RandomValues values(331);
        fill(panel, full, values);
        fill(upper, true, values);
        fill(contribution, full, values);
        for (index_t j = 0; j < npiv; ++j) panel(j, j) = real_t<T>(j % 3 ? 3 * npiv : -3 * npiv);
    }

    static void fill(GuardedMatrix<T>& a, bool full, RandomValues& values) {
        for (index_t j = 0; j < a.cols(); ++j)
            for (index_t i = full ? 0 : j; i < a.rows(); ++i) a(i, j) = values.next<T>();
    }

    void factor(double threshold) {
        GuardedWorkspace<T> workspace(cpu::factor_front_workspace(kind, panel.cols(), panel.rows()));
        cpu::factor_front<T>(kind, panel.view(), upper.view(), contribution.view(), {1.0, 1e-6, threshold}, perm.data(),
                             pivots.data(), workspace.data(), report);
        CHECK(workspace.intact());
        CHECK(panel.padding_intact());
        CHECK(upper.padding_intact());
        CHECK(contribution.padding_intact());
    }
};

template <class T>
bool same_bits(const GuardedMatrix<T>& a, const GuardedMatrix<T>& b) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (index_t i = 0; i < a.rows(); ++i)
            if (std::memcmp(&a(i, j), &b(i, j), sizeof(T)) != 0) return false;
    return true;
}

constexpr Factorization threshold_kinds[] = {Factorization::ldlt, Factorization::ldlh, Factorization::lu};

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("front: threshold pivoting with good pivots is the static one", T, front_accepted) {
    for (const Factorization kind : threshold_kinds)
        for (const index_t npiv : {0, 1, 5, 40, 90})
            for (const index_t ncb : {0, 1, 30}) {
                CAPTURE(npiv);
                CAPTURE(ncb);
                ThresholdFront<T> front(kind, npiv, ncb), reference(kind, npiv, ncb);
                front.factor(0.01);
                reference.factor(0);
                CHECK_FALSE(front.report.rejected);
                CHECK(same_bits(front.panel, reference.panel));
                CHECK(same_bits(front.upper, reference.upper));
                CHECK(same_bits(front.contribution, reference.contribution));
                CHECK(front.perm == reference.perm);
                CHECK(front.report.positive == reference.report.positive);
                CHECK(front.report.negative == reference.report.negative);
                CHECK(front.report.two_by_two == reference.report.two_by_two);
                CHECK(front.report.log_abs_determinant == doctest::Approx(reference.report.log_abs_determinant));
            }
}

TEST_CASE_TEMPLATE_APPLY(front_accepted, Scalars);

TEST_CASE_TEMPLATE_DEFINE("front: given up for one pivot or one row", T, front_rejected) {
    for (const Factorization kind : threshold_kinds)
        for (const index_t npiv : {1, 5, 40, 90})
            for (const bool null_pivot : {false, true}) {
                CAPTURE(npiv);
                CAPTURE(null_pivot);
                const index_t ncb = 7, bad = npiv / 2;
                ThresholdFront<T> front(kind, npiv, ncb);
                if (null_pivot) {
                    const bool full = kind == Factorization::lu;
                    for (index_t j = 0; j < npiv; ++j)
                        for (index_t i = full ? 0 : j; i < npiv; ++i)
                            if (i == bad || j == bad) front.panel(i, j) = 0;
                } else {
                    front.panel(npiv + 3, bad) = real_t<T>(400 * npiv);
                }
                const auto before = front.contribution;
                front.factor(0.01);
                CHECK(front.report.rejected);
                CHECK(same_bits(front.contribution, before));
                CHECK(front.report.positive + front.report.negative + front.report.zero == 0);
                CHECK(front.report.two_by_two + front.report.perturbed == 0);
                CHECK(front.report.log_abs_determinant == 0);
            }
}

TEST_CASE_TEMPLATE_APPLY(front_rejected, Scalars);
