// SPDX-License-Identifier: BSD-3-Clause
// Values on their way from the parts of the ranks to row blocks, against sums in the order of the ranks.
#include "block_matrix.hpp"
#include "frond/matrix/generate.hpp"
#include "scalar_lists.hpp"

#include <array>
#include <map>

using namespace frond;
using namespace frond::test;

namespace {

constexpr std::array kinds{Symmetry::general, Symmetry::symmetric, Symmetry::hermitian, Symmetry::skew_symmetric};

template <class T>
T mirrored(T v, Symmetry kind) {
    return kind == Symmetry::hermitian ? conjugate(v) : kind == Symmetry::skew_symmetric ? -v : v;
}

/// What each rank gives of the canonical form. All ranks have all of it.
template <class T>
struct Shares {
    index_t order = 0;
    Symmetry symmetry = Symmetry::general;
    std::vector<EntryTable<T>> of_rank;  // by (column, row)

    Shares(index_t n, Symmetry kind, int ranks, std::uint64_t seed)
        : order(n), symmetry(kind), of_rank(static_cast<std::size_t>(ranks)) {
        Random random(seed);
        for (index_t k = 0; k < 6 * n; ++k) {
            index_t i = random.below(n), j = random.below(n);
            if (kind != Symmetry::general && i < j) std::swap(i, j);
            if (kind == Symmetry::skew_symmetric && i == j) continue;
            // Several ranks have some of the entries, in turn.
            for (index_t copies = 1 + random.below(3); copies > 0; --copies) {
                T v = random.value<T>();
                if (kind == Symmetry::hermitian && i == j) v = T(real_part(v));
                of_rank[at((k + copies) % ranks)][{j, i}] = v;
            }
        }
    }

    /// The part of rank r; both: each rank has the mirror images of the next one's entries, too.
    DealtEntries<T> part(int r, bool both) const {
        DealtEntries<T> mine(SparseMatrix<T>{}, 0, [](count_t) { return 0; });
        mine.order = order;
        mine.symmetry = symmetry;
        for (const auto& [place, v] : of_rank[at(r)]) mine.add(place.second, place.first, v);
        if (!both) return mine;
        for (const auto& [place, v] : of_rank[(at(r) + 1) % of_rank.size()])
            if (place.first != place.second) mine.add(place.first, place.second, mirrored(v, symmetry));
        return mine;
    }

    /// In the order of the ranks, by (row, column), with mirror images.
    std::map<std::pair<index_t, index_t>, T> sums() const {
        std::map<std::pair<index_t, index_t>, T> sum;
        for (const EntryTable<T>& share : of_rank)
            for (const auto& [place, v] : share) {
                const auto [j, i] = place;
                sum[{i, j}] += v;
                if (symmetry != Symmetry::general && i != j) sum[{j, i}] += mirrored(v, symmetry);
            }
        return sum;
    }
};

template <class T>
detail::RankPart<T> part_of(const DealtEntries<T>& mine, bool both) {
    TripletView<T, index_t> view = mine.view();
    if (both) view.stored = Triangle::both;
    return detail::rank_part<T>(view);
}

template <class T>
void check_block(const detail::BlockPattern& pattern, const LargeVector<T>& value,
                 const std::map<std::pair<index_t, index_t>, T>& sums) {
    const auto first = sums.lower_bound({pattern.first(), 0});
    const auto end = sums.lower_bound({pattern.cuts.end(pattern.rank), 0});
    REQUIRE(pattern.entries() == std::distance(first, end));
    REQUIRE(value.size() == at(pattern.entries()));
    bool alike = true;
    auto expected = first;
    detail::for_block_entries(pattern, [&](count_t e, index_t i, index_t j) {
        alike = alike && expected->first == std::pair(i, j) && expected->second == value[at(e)];
        ++expected;
    });
    CHECK(alike);
}

template <class T>
void check_sums(index_t n, Symmetry kind, bool both, const SomeRanks& some) {
    CAPTURE(n);
    CAPTURE(static_cast<int>(kind));
    CAPTURE(both);
    const auto ranks = detail::mpi_plugin().duplicate(some.communicator());
    const Shares<T> shares(n, kind, some.size(), 5);
    DealtEntries<T> mine = shares.part(some.rank(), both);
    const detail::RankPart<T> part = part_of(mine, both);
    const detail::EntryPlan<T> plan(*ranks, part);
    check_block(*plan.pattern(), *plan.values(*ranks, part.entries->value), shares.sums());
    // New values of the same pattern: by powers of two, so that sums are as much larger.
    for (T& v : mine.value) v *= real_t<T>(4);
    auto larger = shares.sums();
    for (auto& [place, v] : larger) v *= real_t<T>(4);
    check_block(*plan.pattern(), *plan.values(*ranks, part_of(mine, both).entries->value), larger);
}

/// All of A on the first rank: values that another rank gets, one for each entry that has its row or its column there.
template <class T>
count_t values_of_others(const SparseMatrix<T>& a, const detail::RowCuts& cuts) {
    count_t sent = 0;
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e) {
            const index_t of_row = cuts.owner(a.pattern.row[at(e)]);
            const index_t of_column = a.symmetry == Symmetry::general ? of_row : cuts.owner(j);
            sent += (of_row != 0 ? 1 : 0) + (of_column != of_row && of_column != 0 ? 1 : 0);
        }
    return sent;
}

template <class T>
void check_bytes(const SparseMatrix<T>& a, const SomeRanks& some) {
    const auto ranks = detail::mpi_plugin().duplicate(some.communicator());
    const DealtEntries<T> mine(a, some.rank(), [](count_t) { return 0; });
    const detail::RankPart<T> part = part_of(mine, false);
    const detail::EntryPlan<T> plan(*ranks, part);
    const count_t before = ranks->counts().bytes_sent;
    static_cast<void>(plan.values(*ranks, part.entries->value));
    const count_t wanted = some.rank() == 0 ? values_of_others(a, plan.pattern()->cuts) : 0;
    CHECK(ranks->counts().bytes_sent - before == wanted * static_cast<count_t>(sizeof(T)));
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("row blocks: values are sums in the order of the ranks, and mirrored", T, values_of_scalar) {
    on_some_ranks([](const SomeRanks& some) {
        for (const index_t n : {1, 2, 7, 60})
            for (const Symmetry kind : kinds)
                for (const bool both : {false, true}) check_sums<T>(n, kind, both && kind != Symmetry::general, some);
    });
}
TEST_CASE_TEMPLATE_APPLY(values_of_scalar, Scalars);

TEST_CASE("row blocks: what goes to two rows of a rank travels once") {
    on_some_ranks([](const SomeRanks& some) {
        check_bytes(poisson3d<double>(6).matrix, some);
        check_bytes(convdiff3d<double>(5).matrix, some);
        check_bytes(random_sparse<double>(80, 4, Symmetry::symmetric, true, 3), some);
    });
}

TEST_CASE("row blocks: new values lie where the values before the last ones did") {
    on_some_ranks([&](const SomeRanks& some) {
        const auto ranks = detail::mpi_plugin().duplicate(some.communicator());
        const detail::RankPart<double> part = part_of(dealt(poisson3d<double>(40).matrix, some), false);
        const detail::EntryPlan<double> plan(*ranks, part);
        detail::ValueMemory<double> memory;
        std::vector<double> given = part.entries->value;
        std::shared_ptr<const LargeVector<double>> last, before;
        for (int round = 0; round < 4; ++round) {
            const auto first = plan.values(*ranks, given);
            auto next = plan.values(*ranks, given, {}, &memory);
            CHECK(*next == *first);
            CHECK(next != last);
            const double* const place = next->data();
            before = std::exchange(last, std::move(next));
            if (before == nullptr) continue;
            const double* const free = before->data();
            before = nullptr;
            for (double& v : given) v *= 2;
            CHECK(plan.values(*ranks, given, {}, &memory)->data() == free);
            CHECK(last->data() == place);
        }
    });
}

TEST_CASE("row blocks: values in pieces, in any order") {
    const ParallelFor backwards = [](count_t pieces, const std::function<void(count_t)>& body) {
        while (pieces > 0) body(--pieces);
    };
    on_some_ranks([&](const SomeRanks& some) {
        const auto ranks = detail::mpi_plugin().duplicate(some.communicator());
        for (const SparseMatrix<double>& a : {poisson3d<double>(40).matrix, convdiff3d<double>(33).matrix}) {
            const detail::RankPart<double> part = part_of(dealt(a, some), false);
            const detail::EntryPlan<double> plan(*ranks, part);
            CHECK(*plan.values(*ranks, part.entries->value, backwards) == *plan.values(*ranks, part.entries->value));
        }
    });
}
