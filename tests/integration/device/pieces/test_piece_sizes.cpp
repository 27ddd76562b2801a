// SPDX-License-Identifier: BSD-3-Clause
// Hard matrices with every size of pieces: on cores, by tasks on tiles, as a whole tree on the device, in about 2 pieces
// and in about 20. All say the same of the matrix and solve with it as well.
#include "clear_inertia.hpp"
#include "cut_trees.hpp"
#include "error_oracle.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "hard_trees.hpp"
#include "needs_device.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t few = 2, many = 20;

/// How many trees stayed on the device to the end.
struct Tally {
    index_t whole = 0, in_few = 0, in_many = 0, trees = 0;
};

/// One matrix, factored in one way after the other, each as if it were the first time.
template <class T>
class EachWay {
public:
    explicit EachWay(const HardTree<T>& tree) : tree_(tree), wide_(dense(tree.matrix)) {
        AnalysisOptions options;
        options.factorization = tree.kind;
        options.ordering = tree.ordering;
        if (tree.ordering == OrderingMethod::natural) options.matching = MatchingMode::off;
        options.amalgamation_zeros = 1e-9;
        options.deterministic = true;
        analysed_ = analyze(tree.matrix, options);
    }

    void check(Tally& tally) {
        CAPTURE(tree_.name);
        ++tally.trees;
        {
            const Factors<T> on_cores = factored({"one subtree", 16, tree_.matrix.rows()}, FactorPlace::tasks);
            expected_ = on_cores.report();
            check_solution(on_cores);
            check_inertia();
        }
        check_same(factored({"tiles", 6, 0}, FactorPlace::tasks));
        tally.whole += on_device(factored(mapping_, FactorPlace::automatic));
        const std::vector<Cut> cuts = cuts_of<T>(remapped(*analysed_.analysis, mapping_));
        tally.in_few += in_pieces(nearest_cut(cuts, few));
        tally.in_many += in_pieces(nearest_cut(cuts, many));
    }

    double flops() const { return analysed_.analysis->cost.flops; }

private:
    Factors<T> factored(const ForcedMapping& mapping, FactorPlace place) const {
        FactorOptions options;
        options.place = place;
        return factorize(device_session(), remapped(*analysed_.analysis, mapping), tree_.matrix, options,
                         &analysed_.scaling);
    }

    /// 1 where it was done there.
    index_t on_device(const Factors<T>& factors) const {
        check_same(factors);
        return factors.report().place.on_device ? 1 : 0;
    }

    /// Where columns are delayed there may be other pieces, a front too large for that, or too little room.
    index_t in_pieces(const Cut& cut) const {
        CAPTURE(cut.pieces);
        if (cut.pieces == 0) return 0;  // it cannot be cut
        const LimitedRoom limited(cut.room_bytes);
        const Factors<T> factors = factored(mapping_, FactorPlace::automatic);
        const std::optional<KeptTree> kept = kept_tree<T>();
        const index_t done = on_device(factors);
        if (done == 0) return 0;
        REQUIRE(kept.has_value());
        if (factors.report().pivots.delayed == 0) CHECK(kept->pieces == cut.pieces);
        return kept->pieces > 1 ? 1 : 0;
    }

    void check_same(const Factors<T>& factors) const {
        const FactorReport& report = factors.report();
        INFO(report.place.reason);
        CHECK(report.status == expected_.status);
        CHECK(report.pivots.small_columns.size() == expected_.pivots.small_columns.size());
        CHECK(report.pivots.inertia.has_value() == expected_.pivots.inertia.has_value());
        if (report.pivots.inertia && expected_.pivots.inertia) {
            CHECK(report.pivots.inertia->negative == expected_.pivots.inertia->negative);
            CHECK(report.pivots.inertia->zero == expected_.pivots.inertia->zero);
            CHECK(report.pivots.inertia->positive == expected_.pivots.inertia->positive);
        }
        check_solution(factors);
    }

    /// By cores, for which it takes less time than on an emulated device. Of singular matrices no solution is asked for.
    void check_solution(const Factors<T>& factors) const {
        if (factors.report().status != FactorStatus::success) return;
        CHECK(factors.report().pivots.largest_l <= 100 * (1 + 10 * epsilon<T>()));
        const auto b = RhsBlock<T>::random(tree_.matrix.rows(), 1, 31);
        RhsBlock<T> x(tree_.matrix.rows(), 1);
        SolveOptions options;
        options.place = SolvePlace::host;
        options.condition_hint = false;
        CHECK(solve(factors, b.view(), x.view(), options).status == SolveStatus::converged);
        CHECK(componentwise_error(wide_, widened(x), widened(b)) <= 450 * epsilon<T>());
    }

    /// Against all eigenvalues, where those are known.
    void check_inertia() const {
        if constexpr (!is_complex<T>) {
            const std::optional<Inertia> inertia = clear_inertia(tree_.matrix);
            if (!inertia || !expected_.pivots.inertia) return;
            CHECK(expected_.pivots.inertia->negative == inertia->negative);
            CHECK(expected_.pivots.inertia->zero == inertia->zero);
        }
    }

    const ForcedMapping mapping_{"subtrees and tiles", 16, 60};
    const HardTree<T>& tree_;
    test::DenseMatrix wide_;
    AnalysisResult analysed_;
    FactorReport expected_;
};

template <class T>
Tally check_all(const std::vector<HardTree<T>>& trees) {
    Tally tally;
    for (const HardTree<T>& tree : trees) EachWay<T>(tree).check(tally);
    return tally;
}

template <class T>
std::vector<Symmetry> symmetries() {
    if (is_complex<T>) return {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian};
    return {Symmetry::general, Symmetry::symmetric};
}

template <class T>
void add_file(const std::string& path, std::vector<HardTree<T>>& trees) {
    std::visit(
        [&]<class U>(const SparseMatrix<U>& a) {
            if constexpr (std::is_same_v<T, U>)
                trees.push_back({path, a, kind_of<T>(a.symmetry), OrderingMethod::automatic});
        },
        read_matrix(path));
}

/// The trees of tests/data, and of the folder that FROND_MATRICES names.
template <class T>
std::vector<HardTree<T>> trees_of_files() {
    std::vector<HardTree<T>> trees;
    for (const char* name : {"494_bus.mtx.gz", "west0067.mtx.gz", "cage5.mtx.gz", "young4c.mtx.gz"})
        add_file(std::string(FROND_TEST_DATA "/") + name, trees);
    const char* folder = std::getenv("FROND_MATRICES");
    index_t found = 0;
    for (const char* name :
         {"gouldqp3_kkt", "olm500", "west0479", "fs_183_6", "lnsp_131", "hangGlider_2", "tumorAntiAngiogenesis_2",
          "ip_dualc1_it10", "oscil_dcop_33", "mcca", "young1c", "qc324"}) {
        const std::string path = std::string(folder != nullptr ? folder : "") + "/small/" + name + ".mtx.gz";
        if (folder == nullptr || !std::filesystem::exists(path)) continue;
        ++found;
        add_file(path, trees);
    }
    const bool folder_given = folder != nullptr && *folder != '\0';
    CHECK((found > 0) == folder_given);
    return trees;
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

template <class T>
static void check_every_size() {
    const Tally definite = check_all<T>({definite_tree<T>()});
    CHECK(definite.whole + definite.in_few + definite.in_many == 3);
    for (const Symmetry symmetry : symmetries<T>()) {
        CAPTURE(static_cast<int>(symmetry));
        const Tally hard = check_all<T>(hard_trees<T>(symmetry));
        CHECK(hard.whole == hard.trees);
        CHECK(2 * hard.in_many > hard.trees);
        const Tally singular = check_all<T>({singular_tree<T>(symmetry)});
        CHECK(singular.whole + singular.in_few + singular.in_many == 0);
    }
}
FROND_LONG_DEVICE_CASES("hard matrices with every size of pieces", check_every_size, DoubleScalars);

TEST_CASE_TEMPLATE_DEFINE("matrices from files with every size of pieces" * doctest::test_suite(needs_quick_device), T,
                          files) {
    check_all<T>(trees_of_files<T>());
}
TEST_CASE_TEMPLATE_APPLY(files, DoubleScalars);

TEST_SUITE_END();
