// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/analysis_file.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"
#include "saved_analysis.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

Analysis small_analysis(Symmetry symmetry, Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    options.workers = 3;
    options.matching = MatchingMode::on;
    return *analyze(random_sparse<double>(40, 3, symmetry, false, 5), options).analysis;
}

/// With subtrees and fronts on tiles.
Analysis many_fronts() {
    AnalysisOptions options;
    options.factorization = Factorization::ldlt;
    options.matching = MatchingMode::on;
    options.ordering = OrderingMethod::amd;
    options.workers = 3;
    Analysis analysis = *analyze(poisson3d<double>(14).matrix, options).analysis;
    REQUIRE(analysis.tree.front_count() > 20);
    REQUIRE(analysis.mapping.subtrees.size() > 1);
    REQUIRE(!analysis.mapping.grids.empty());
    return analysis;
}

/// What load_analysis says of these bytes; "" when it takes them.
std::string refusal(const std::string& path, const std::string& bytes) {
    write_bytes(path, bytes);
    try {
        load_analysis(path);
        return "";
    } catch (const InvalidArgument& error) {
        CHECK(std::string(error.what()).starts_with(path + ": "));
        CHECK(std::string(error.what()).find("; ") != std::string::npos);
        return error.what();
    }
}

bool says(const std::string& message, const char* part) { return message.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("through a pipe, which stays one, come the bytes of the file") {
    const Analysis analysis = small_analysis(Symmetry::general, Factorization::lu);
    const TemporaryFile file(".frond"), pipe(".pipe");
    save_analysis(analysis, file.path());
    REQUIRE(mkfifo(pipe.path().c_str(), 0600) == 0);
    std::string through;
    std::thread reader([&] { through = bytes_of(pipe.path()); });
    save_analysis(analysis, pipe.path());
    reader.join();
    CHECK(through == bytes_of(file.path()));
    CHECK(std::filesystem::is_fifo(pipe.path()));

    std::thread writer([&] { write_bytes(pipe.path(), through); });
    const auto loaded = load_analysis(pipe.path());
    writer.join();
    const TemporaryFile again(".frond");
    save_analysis(*loaded, again.path());
    CHECK(bytes_of(again.path()) == through);
}

TEST_CASE("what is loaded is what was saved") {
    const struct {
        Symmetry symmetry;
        Factorization kind;
    } cases[] = {{Symmetry::general, Factorization::lu},
                 {Symmetry::symmetric, Factorization::lu},
                 {Symmetry::symmetric, Factorization::ldlt}};
    for (const auto& [symmetry, kind] : cases) {
        const Analysis analysis = small_analysis(symmetry, kind);
        const TemporaryFile first(".frond"), second(".frond");
        save_analysis(analysis, first.path());
        const auto loaded = load_analysis(first.path());
        CHECK(loaded->row_order == analysis.row_order);
        CHECK(loaded->column_order == analysis.column_order);
        CHECK(loaded->pattern_hash == analysis.pattern_hash);
        CHECK(loaded->matching_row_of_column == analysis.matching_row_of_column);
        CHECK(loaded->tree.rows == analysis.tree.rows);
        CHECK(loaded->entry_map.source == analysis.entry_map.source);
        CHECK(loaded->options.workers == 3);
        CHECK(loaded->report.machine.cores == analysis.report.machine.cores);
        CHECK(loaded->report.machine.core_flops_per_second == analysis.report.machine.core_flops_per_second);
        CHECK(loaded->report.seconds == analysis.report.seconds);
        save_analysis(*loaded, second.path());  // all other fields
        CHECK(bytes_of(first.path()) == bytes_of(second.path()));
    }
}

TEST_CASE("analyses of no and of one column") {
    SparseMatrix<double> none;
    none.pattern.begin.assign(1, 0);
    const SparseMatrix<double> one = poisson2d<double>(1).matrix;
    for (const auto& a : {none, one}) {
        const TemporaryFile file(".frond");
        save_analysis(*analyze(a).analysis, file.path());
        CHECK(load_analysis(file.path())->order == a.cols());
    }
}

TEST_CASE("each damaged byte, and each length but the right one, is refused") {
    const TemporaryFile file(".frond");
    save_analysis(small_analysis(Symmetry::general, Factorization::lu), file.path());
    const std::string whole = bytes_of(file.path());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string bytes = whole;
        bytes[i] = static_cast<char>(bytes[i] ^ (1 << i % 8));
        CHECK_MESSAGE(!refusal(file.path(), bytes).empty(), "byte " << i);
    }
    for (std::size_t length = 0; length < whole.size(); length += length < 64 ? 1 : 97)
        CHECK_MESSAGE(!refusal(file.path(), whole.substr(0, length)).empty(), "length " << length);
    CHECK(says(refusal(file.path(), whole + "x"), "announced"));
    CHECK(says(refusal(file.path(), whole.substr(0, 1000)), "announced"));
    CHECK(refusal(file.path(), whole) == "");
}

TEST_CASE("each cause has its message") {
    const TemporaryFile file(".frond");
    save_analysis(small_analysis(Symmetry::general, Factorization::lu), file.path());
    const std::string whole = bytes_of(file.path());
    CHECK(says(refusal(file.path(), "%%MatrixMarket matrix"), "not an analysis"));
    CHECK(says(refusal(file.path(), ""), "not an analysis"));
    std::string bytes = whole;
    bytes[8] = 77;
    CHECK(says(refusal(file.path(), bytes), "its format is 77"));
    bytes = whole;
    bytes[100] = static_cast<char>(~bytes[100]);
    CHECK(says(refusal(file.path(), bytes), "checksum"));
    CHECK_THROWS_AS(load_analysis(file.path() + ".absent"), RuntimeError);
    CHECK_THROWS_AS(load_analysis(std::filesystem::temp_directory_path().string()), RuntimeError);
}

TEST_CASE("a promise of 10^18 entries allocates nothing") {
    const TemporaryFile file(".frond");
    Analysis analysis = small_analysis(Symmetry::general, Factorization::lu);
    save_analysis(analysis, file.path());
    std::string bytes = bytes_of(file.path());
    // order, entries, symmetry, factorization, positive_diagonal, pattern_hash; then the row order.
    const std::size_t count_at = 40 + 4 + 8 + 3 + 8;
    for (const std::uint64_t promised :
         {std::uint64_t{1'000'000'000'000'000'000}, std::numeric_limits<std::uint64_t>::max()}) {
        std::memcpy(&bytes[count_at], &promised, sizeof promised);
        forge_checksum(bytes);
        CHECK(says(refusal(file.path(), bytes), "entries where"));
    }
}

TEST_CASE("a file appears complete or not at all") {
    namespace fs = std::filesystem;
    const Analysis analysis = small_analysis(Symmetry::general, Factorization::lu);
    const TemporaryFile folder("-folder");
    fs::create_directory(folder.path());
    CHECK_THROWS_AS(save_analysis(analysis, folder.path() + "/absent/x"), RuntimeError);
    fs::create_directory(folder.path() + "/taken");  // a name that no file can take
    CHECK_THROWS_AS(save_analysis(analysis, folder.path() + "/taken"), RuntimeError);
    save_analysis(analysis, folder.path() + "/x");
    save_analysis(analysis, folder.path() + "/x");
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
    fs::remove_all(folder.path());
}

TEST_CASE("forged content is refused by what it would break") {
    const TemporaryFile file(".frond");
    const Analysis original = many_fronts();
    const auto refusal_of = [&](auto forge) {
        Analysis analysis = original;
        forge(analysis);
        save_analysis(analysis, file.path());
        return refusal(file.path(), bytes_of(file.path()));
    };
    CHECK(refusal_of([](Analysis&) {}) == "");
    CHECK(says(refusal_of([](Analysis& a) { a.row_order[3] = a.row_order[4]; }), "permutation"));
    CHECK(says(refusal_of([](Analysis& a) { a.column_order[3] = -1; }), "permutation"));
    CHECK(says(refusal_of([](Analysis& a) { a.matching_row_of_column[0] = a.order; }), "matching"));
    CHECK(says(refusal_of([](Analysis& a) { a.tree.fronts.front().nfront = a.order; }), "columns"));
    CHECK(says(refusal_of([](Analysis& a) { a.tree.fronts.front().parent = 0; }), "postorder"));
    CHECK(says(refusal_of([](Analysis& a) { a.tree.children[0] = 1 << 30; }), "postorder"));
    CHECK(says(refusal_of([](Analysis& a) { ++a.tree.relative_rows[0]; }), "parent"));
    CHECK(says(refusal_of([](Analysis& a) { a.entry_map.row.back() = a.order; }), "outside"));
    CHECK(says(refusal_of([](Analysis& a) { a.entry_map.source[0] = a.entries; }), "not have"));
    CHECK(says(refusal_of([](Analysis& a) { a.entry_map.front_begin[1] = 1 << 30; }), "length"));
    CHECK(says(refusal_of([](Analysis& a) { a.mapping.subtrees[0].root_front += 7; }), "subtree"));
    CHECK(says(refusal_of([](Analysis& a) { a.mapping.subtrees.pop_back(); }), "subtrees"));
    CHECK(says(refusal_of([](Analysis& a) { ++a.mapping.subtrees[0].stack_scalars; }), "sizes"));
    CHECK(says(refusal_of([](Analysis& a) { a.mapping.grids[0].cut[1] = 0; }), "cuts"));
    CHECK(says(refusal_of([](Analysis& a) { ++a.mapping.grids[0].own_tiles; }), "cuts"));
    CHECK(says(refusal_of([](Analysis& a) { a.mapping.grids.emplace_back(); }), "cuts of no"));
    CHECK(says(refusal_of([](Analysis& a) { a.mapping.grid_of_front[0] = 0; }), "on tiles"));
    CHECK(says(refusal_of([](Analysis& a) { --a.cost.peak_scalars_parallel; }), "sizes"));
    CHECK(says(refusal_of([](Analysis& a) { a.mapping.bottom_level_flops[0] = -1; }), "flops"));
    CHECK(says(refusal_of([](Analysis& a) { a.mapping.workers = 0; }), "workers"));
}
