// SPDX-License-Identifier: BSD-3-Clause
// L U of trees on the device where neither delayed columns are enough nor the search of whole fronts: both are needed.
// What the search was is read from what the session keeps; without a device cores do the same. In double precision: in
// single the matrices are singular as far as threshold pivoting can tell.
#include "forced_sharing.hpp"
#include "grid_systems.hpp"
#include "kept_tree.hpp"
#include "needs_device.hpp"
#include "planted_trouble.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

/// Symmetric values. Chains of small cliques end in `cliques` large ones or in the root. The pivots of a large one are
/// in the other half of its rows, so that each of its diagonal blocks fails, in whatever order; some chains begin with a
/// column whose only large entry is in a row of the front that the chain ends in.
template <class T>
class FarPartners {
public:
    FarPartners(index_t cliques, index_t chains, index_t links)
        : cliques_(cliques),
          chains_(chains),
          links_(links),
          order_(chains * links * link + cliques * 2 * half + root_columns),
          a_(order_, Symmetry::general) {
        add_root();
        for (index_t c = 0; c < cliques; ++c) add_clique(first_of_clique(c));
        for (index_t c = 0; c < chains; ++c) add_chain(c);
    }

    SparseMatrix<T> matrix() const { return a_.matrix(); }

private:
    static constexpr index_t half = 32, link = 4, root_columns = 40;

    index_t first_of_clique(index_t c) const { return chains_ * links_ * link + c * 2 * half; }
    index_t root() const { return order_ - root_columns; }
    T small(double size) { return random_.value<T>() * real_scalar<T>(size); }

    void add_root() {
        for (index_t j = root(); j < order_; ++j)
            for (index_t i = j; i < order_; ++i) a_.couple(i, j, i == j ? real_scalar<T>(9) : small(0.2));
    }

    void add_clique(index_t first) {
        for (index_t j = 0; j < 2 * half; ++j)
            for (index_t i = j; i < 2 * half; ++i) {
                const bool other_half = i >= half && j < half;
                a_.couple(first + i, first + j, i == j + half ? real_scalar<T>(4) : small(other_half ? 0.1 : 1e-5));
            }
        for (index_t k = 0; k < 6; ++k) a_.couple(root() + k, first, small(0.1));
    }

    void add_chain(index_t chain) {
        const index_t first = chain * links_ * link, end = first + links_ * link;
        const index_t target = chain % 2 == 0 && cliques_ > 0 ? first_of_clique(chain / 2 % cliques_) : root();
        for (index_t j = first; j < end; ++j) {
            const index_t next = end - (end - j - 1) / link * link;  // of the next clique of the chain
            for (index_t i = j; i < std::min(next + 1, end); ++i)
                a_.couple(i, j, i == j ? real_scalar<T>(4) : small(0.3));
            if (j + 1 == end) a_.couple(target + chain % half, j, small(0.2));
        }
        if (chain % 3 != 0) return;
        a_.set(first, first, T(0));
        for (index_t i = first + 1; i < first + link; ++i) a_.couple(i, first, small(1e-4));
        a_.couple(first + link, first, small(1e-4));
        a_.couple(target + chain % half, first, real_scalar<T>(8));
    }

    index_t cliques_, chains_, links_, order_;
    Random random_{11};
    SystemBuilder<T> a_;
};

template <class T>
Factors<T> factored_given(const AnalysisResult& given, const SparseMatrix<T>& a) {
    Factors<T> factors = factorize(device_session(), given.analysis, a, {}, &given.scaling);
    INFO(factors.report().place.reason);
    CHECK(factors.report().status == FactorStatus::success);
    CHECK(factors.report().place.on_device == has_device());
    CHECK(factors.report().pivots.delayed > 0);
    CHECK(factors.report().pivots.largest_l <= 100 * (1 + 10 * epsilon<T>()));
    return factors;
}

/// What the session keeps of a tree with fronts of which all rows were searched; without a device nothing is kept.
template <class T>
KeptTree kept_search() {
    const std::optional<KeptTree> kept = kept_tree<T>();
    REQUIRE(kept.has_value() == has_device());
    if (!kept) return {};
    CHECK(kept->searches);
    return *kept;
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("columns whose partner is in another block of the front, or in another front", T,
                          few_fronts) {
    const SparseMatrix<T> a = FarPartners<T>(1, 12, 5).matrix(), twice = doubled(a);
    const AnalysisResult given = as_planted(a, Factorization::lu);
    REQUIRE(given.analysis->tree.front_count() > 40);
    const Factors<T> factors = factored_given(given, a);
    const KeptTree found = kept_search<T>();
    const RhsBlock<T> x = unrefined(factors);
    static_cast<void>(checked_solution(factors, a));
    // The next one begins with what the first one found.
    const Factors<T> next = factored_given(given, twice);
    CHECK(kept_search<T>().plan == found.plan);
    CHECK(next.report().pivots.delayed == factors.report().pivots.delayed);
    CHECK(next.report().pivots.largest_l == factors.report().pivots.largest_l);
    const RhsBlock<T> halved = unrefined(next);
    for (index_t i = 0; i < a.rows(); ++i) REQUIRE(halved(i, 0) + halved(i, 0) == x(i, 0));
}
TEST_CASE_TEMPLATE_APPLY(few_fronts, DoubleScalars);

template <class T>
static void check_search_in_shared_trees() {
    const SparseMatrix<T> a = FarPartners<T>(2, 12, 10).matrix();
    const AnalysisResult given = as_planted(a, Factorization::lu), again = as_planted(a, Factorization::lu);
    const Factors<T> alone = factored_given(given, a);
    static_cast<void>(kept_search<T>());
    const ForcedSharing sharing(2);
    // The second time begins with what the first one found.
    for (int times = 0; times < 2; ++times) {
        const Factors<T> both = factored_given(again, a);
        static_cast<void>(kept_search<T>());
        if (has_device()) CHECK(both.report().place.devices_used > 1);
        CHECK(both.report().pivots.delayed == alone.report().pivots.delayed);
        CHECK(both.report().pivots.largest_l == alone.report().pivots.largest_l);
        CHECK(unrefined(both) == unrefined(alone));
    }
}
FROND_LONG_DEVICE_CASES("a search in a tree that devices share", check_search_in_shared_trees, DoubleScalars);

template <class T>
static void check_search_in_parts() {
    const SparseMatrix<T> a = FarPartners<T>(2, 12, 10).matrix();
    std::optional<RhsBlock<T>> x;
    KeptTree whole;
    count_t delayed = 0;
    {
        const Factors<T> factors = factored_given(as_planted(a, Factorization::lu), a);
        whole = kept_search<T>();
        x = unrefined(factors);
        delayed = factors.report().pivots.delayed;
    }  // what it holds of the device goes
    const auto tight = static_cast<count_t>(0.97 * static_cast<double>(whole.tree_bytes));
    for (const bool factors_fit : {true, false}) {
        CAPTURE(factors_fit);
        const AnalysisResult given = as_planted(a, Factorization::lu);
        {
            const LimitedRoom limited(tight + (factors_fit ? whole.factor_bytes : 0));
            const Factors<T> parts = factored_given(given, a);
            const KeptTree kept = kept_search<T>();
            CHECK(kept.is_in_parts == has_device());
            CHECK(kept.factors_on_host == (has_device() && !factors_fit));
            CHECK(parts.report().pivots.delayed == delayed);
            CHECK(unrefined(parts) == *x);
        }
        // With room again it is planned anew, but what was found stays.
        const Factors<T> again = factored_given(given, a);
        const KeptTree kept = kept_search<T>();
        CHECK(!kept.is_in_parts);
        CHECK(!kept.factors_on_host);
        CHECK(again.report().pivots.delayed == delayed);
        CHECK(unrefined(again) == *x);
    }
}
FROND_LONG_DEVICE_CASES("a search in a tree that is done part by part", check_search_in_parts, DoubleScalars);

template <class T>
static void check_search_by_strips() {
    const SparseMatrix<T> a = FarPartners<T>(2, 12, 10).matrix();
    KeptTree whole;
    count_t delayed = 0;
    {
        const Factors<T> factors = factored_given(as_planted(a, Factorization::lu), a);
        whole = kept_search<T>();
        delayed = factors.report().pivots.delayed;
    }  // what it holds of the device goes
    int seen = 0;
    for (const double share : {0.94, 0.92, 0.91}) {
        CAPTURE(share);
        const LimitedRoom limited(static_cast<count_t>(share * static_cast<double>(whole.tree_bytes)));
        const Factors<T> parts = factored_given(as_planted(a, Factorization::lu), a);
        const KeptTree kept = kept_search<T>();
        seen += kept.strips > 0 ? 1 : 0;
        CHECK(parts.report().pivots.delayed >= delayed);  // more where fronts are in parts
        const RhsBlock<T> x = unrefined(parts), b = RhsBlock<T>::random(a.rows(), 1, 31);
        CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 100 * 450 * epsilon<T>());
    }
    if (!is_complex<T>) CHECK((seen > 0) == has_device());  // those shares are of the real tree
}
FROND_LONG_DEVICE_CASES("each kernel of a search in fronts by strips", check_search_by_strips, DoubleScalars);

TEST_SUITE_END();
