// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/assembly_tree.hpp"
#include "frond/analysis/options.hpp"
#include "frond/base/types.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <any>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace frond {

/// What follows from an object that does not change, kept with it once somebody has asked: a walk over all fronts takes
/// milliseconds, as long as a small factorization on a device. Copies begin without. Any thread may ask.
class KeptFacts {
public:
    KeptFacts() = default;
    KeptFacts(const KeptFacts&) noexcept {}
    KeptFacts(KeptFacts&&) noexcept {}
    KeptFacts& operator=(const KeptFacts&) noexcept { return forget(); }
    KeptFacts& operator=(KeptFacts&&) noexcept { return forget(); }
    ~KeptFacts() = default;

    /// What make() gave, which is called once for each Name and number. Name: a type that stands for the question.
    template <class Name, class Make>
    auto of(count_t number, const Make& make) const {
        using Value = decltype(make());
        const std::pair key(std::type_index(typeid(Name)), number);
        const std::lock_guard lock(mutex_);
        for (const auto& [known, value] : facts_)
            if (known == key) return std::any_cast<Value>(value);
        return std::any_cast<Value>(facts_.emplace_back(key, make()).second);
    }

private:
    KeptFacts& forget() noexcept {
        const std::lock_guard lock(mutex_);
        facts_.clear();
        return *this;
    }

    mutable std::mutex mutex_;
    mutable std::vector<std::pair<std::pair<std::type_index, count_t>, std::any>> facts_;
};

/// What one ordering candidate would cost.
struct OrderingCandidate {
    OrderingMethod method = OrderingMethod::automatic;
    double seconds = 0;  // to compute it
    double flops = 0;  // of the factorization kind analysed, real operations
    count_t factor_entries = 0;
};

struct AnalysisReport {
    double seconds = 0;
    double matching_seconds = 0;
    double ordering_seconds = 0;
    double symbolic_seconds = 0;
    OrderingMethod ordering = OrderingMethod::automatic;  // the one chosen
    std::vector<OrderingCandidate> candidates;  // with `geometric` another one only where the grid does not fit
    MachineDescription machine;  // that times were predicted for
    bool matched = false;
    index_t structural_rank = 0;  // = n unless a matching found less; n when not computed
    index_t compressed_vertices = 0;
    index_t pairs = 0;  // 2x2 pivot candidates kept together
    index_t supernodes_before_amalgamation = 0;
    bool distributed = false;  // each of several processes has its part alone, see `distributed_analysis`
    Factorization factorization = Factorization::lu;  // the kind that is planned, never automatic
    double flops = 0;  // of the factorization, as predicted, real operations; times 4 for complex scalars
};

/// The product of the analysis: permutations, tree, maps, costs. Immutable, no scalars, no scaling.
///
/// The factorization works on B[k, l] = Dr A Dc at (row_order[k], column_order[l]):
/// row_order = column_order for the symmetric kinds; for LU column_order carries the matching.
struct Analysis {
    index_t order = 0;
    count_t entries = 0;  // of the canonical matrix analysed
    Symmetry symmetry = Symmetry::general;
    Factorization factorization = Factorization::lu;  // never automatic
    bool positive_diagonal = false;
    std::uint64_t pattern_hash = 0;

    std::vector<index_t> row_order;  // [n] row_order[k] = row of A at position k
    std::vector<index_t> column_order;  // [n] column_order[k] = column of A at position k
    std::vector<std::uint8_t> pair_with_next;  // [n] 1: positions k, k+1 are a matched pair; empty: none
    std::vector<index_t> matching_row_of_column;  // [n] of A; empty when not matched

    AssemblyTree tree;
    EntryMap entry_map;
    Mapping mapping;
    CostModel cost;
    AnalysisOptions options;
    AnalysisReport report;
    KeptFacts facts;  // of all the above; a copy that is changed has none
};

/// Scaling vectors in original numbers: B = diag(row) A diag(column). Powers of two.
struct Scaling {
    ScalingMethod method = ScalingMethod::none;
    std::vector<double> row;  // [n], empty when method is none
    std::vector<double> column;  // [n], empty when method is none; == row for symmetric kinds
};

struct AnalysisResult {
    std::shared_ptr<const Analysis> analysis;
    Scaling scaling;  // of the very values that were analysed, so that the first factor need not redo it
    bool has_values = true;  // false: all of them are 0, and `scaling` is none of values to come
};

/// The whole analysis (docs/analysis.md): validate, match and scale, order, tree, cost, mapping.
/// Deterministic: the same input and options give the same result.
/// Cost: about (entries + n) log n operations for the ordering, which takes most of the time; all else is linear in the
/// entries of A and the rows of all fronts, but for a matching. One thread for each core, or options.threads.
/// Where all values are 0, none is known yet: the pattern alone is analysed, as if each entry were 1, and the kind follows
/// from the symmetry (never L L^H, unless options.factorization asks for it).
/// @pre  a is in canonical form, as make_sparse() and the readers give it
/// @throws InvalidMatrix  a is not square, or one that options.factorization cannot take
/// @throws InvalidArgument  user_order or grid do not fit a, or the ordering needs ranks; OutOfMemory
/// @par Thread safety  any number of calls at once.
template <class T>
AnalysisResult analyze(const SparseMatrix<T>& a, const AnalysisOptions& options = {});

/// Scaling for new values on an existing analysis (matching kept, duals recomputed). `automatic` leaves L L^H
/// unscaled: powers of two change none of its bits, unless exponents of the diagonal are outside of [-200, 200]
/// ([-20, 20] in single precision).
/// stale is set when the kept matching is no longer a good one for these values.
/// Cost: some passes over A; with a matching, its duals are computed again. @throws OutOfMemory
template <class T>
Scaling compute_scaling(const SparseMatrix<T>& a, const Analysis& analysis, bool* stale = nullptr);

}  // namespace frond
