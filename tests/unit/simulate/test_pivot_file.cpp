// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/pivot_file.hpp"

#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace frond;
using namespace frond::cli;

namespace {

std::shared_ptr<const Analysis> analysis_of(index_t size, Factorization factorization, index_t tile_size = 64) {
    AnalysisOptions options;
    options.factorization = factorization;
    options.workers = 4;
    options.tile_size = tile_size;
    options.ordering = OrderingMethod::nested_dissection;
    return analyze(poisson3d<double>(size).matrix, options).analysis;
}

/// The first front on tiles, every panel of which loses a column.
RecordedFront failing_front(const Analysis& analysis) {
    RecordedFront front;
    while (analysis.mapping.grid_of_front[static_cast<std::size_t>(++front.front)] < 0) {
    }
    const auto grid = static_cast<std::size_t>(analysis.mapping.grid_of_front[static_cast<std::size_t>(front.front)]);
    for (index_t k = 0; k < analysis.mapping.grids[grid].own_tiles; ++k)
        front.panels.push_back({k, k, analysis.mapping.grids[grid].size(k) - 1});
    front.second_pass = {3, 3, 2, 125.5};
    return front;
}

PivotFile file_of(const Analysis& analysis) {
    RecordedRun run;
    run.analysis = fingerprint_of(analysis);
    run.threshold = true;
    run.delayed = 1;
    run.second_pass = 3;
    RecordedFront inside;
    inside.front = 0;
    inside.second_pass = {2, 2, 2, 0};
    inside.tried_pivots = true;
    run.fronts = {inside, failing_front(analysis)};
    return pivot_file_of(analysis, "a \"quoted\" name", {run});
}

template <class Call>
std::string refused_by(Call call) {
    try {
        call();
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "accepted";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("pivots that were written are read again") {
    const auto analysis = analysis_of(16, Factorization::ldlt);
    const PivotFile file = file_of(*analysis);
    const PivotFile again = parse_pivots(text_of_pivots(file), "p.json");
    CHECK(again.matrix == file.matrix);
    CHECK(again.analysis == fingerprint_of(*analysis));
    REQUIRE(again.runs.size() == 1);
    CHECK(again.runs[0].delayed == 1);
    CHECK(again.runs[0].second_pass == 3);
    REQUIRE(again.runs[0].fronts.size() == 2);
    CHECK(again.runs[0].fronts[0].tried_pivots);
    CHECK_FALSE(again.runs[0].fronts[0].tried_rows);
    const RecordedFront &before = file.runs[0].fronts[1], &after = again.runs[0].fronts[1];
    CHECK(after.front == before.front);
    REQUIRE(after.panels.size() == before.panels.size());
    for (std::size_t k = 0; k < after.panels.size(); ++k) {
        CHECK(after.panels[k].rows == before.panels[k].rows);
        CHECK(after.panels[k].columns == before.panels[k].columns);
        CHECK(after.panels[k].kept == before.panels[k].kept);
    }
    CHECK(after.second_pass.kept == 2);
    CHECK(after.second_pass.search_flops == 125.5);
    CHECK(text_of_pivots(again) == text_of_pivots(file));
    expect_pivots_of(again, "p.json", *analysis, true);
    CHECK(again.runs[0].find(before.front) == &again.runs[0].fronts[1]);
    CHECK(again.runs[0].find(before.front + 1) == nullptr);
}

TEST_CASE("pivots of another matrix, factorization, analysis or rule are refused with the reason") {
    const auto analysis = analysis_of(16, Factorization::ldlt);
    const PivotFile file = file_of(*analysis);
    const auto refused = [&file](const Analysis& other, bool threshold = true) {
        return refused_by([&] { expect_pivots_of(file, "p.json", other, threshold); });
    };
    CHECK(refused(*analysis_of(15, Factorization::ldlt)).find("it is of another matrix") != std::string::npos);
    CHECK(refused(*analysis_of(16, Factorization::llt))
              .find("it is of ldlt, and this factorization is "
                    "llt; give --factorization ldlt") != std::string::npos);
    CHECK(refused(*analysis_of(16, Factorization::ldlt, 32))
              .find("cut for 4 workers with tiles of 64, and this one for 4 with tiles of 32") != std::string::npos);
    CHECK(refused(*analysis, false).find("give the same --pivoting") != std::string::npos);
}

TEST_CASE("pivots that cannot be those of the analysis are refused") {
    const auto analysis = analysis_of(16, Factorization::ldlt);
    const auto refused = [&analysis](auto change) {
        PivotFile file = file_of(*analysis);
        change(file.runs[0].fronts[1]);
        return refused_by([&] { expect_pivots_of(file, "p.json", *analysis, true); });
    };
    CHECK(refused([](RecordedFront&) {}) == "accepted");
    CHECK(refused([](RecordedFront& f) { f.panels.pop_back(); }).find("are recorded; record it anew") !=
          std::string::npos);
    CHECK(refused([](RecordedFront& f) { f.panels[0].kept += 2; }).find("panel 0 keeps") != std::string::npos);
    CHECK(refused([](RecordedFront& f) { f.second_pass.kept = 4; }).find("second pass eliminates 4 of 3") !=
          std::string::npos);
    CHECK(refused([](RecordedFront& f) { f.front = 1 << 20; }).find("the fronts are 0 ..") != std::string::npos);
    CHECK(refused([](RecordedFront& f) { f.front = 0; }).find("ascending order") != std::string::npos);
}

TEST_CASE("what is wrong in a file of pivots is named with its line") {
    const std::string text = text_of_pivots(file_of(*analysis_of(16, Factorization::ldlt)));
    const auto refused = [](const std::string& changed) {
        return refused_by([&] { static_cast<void>(parse_pivots(changed, "p.json")); });
    };
    CHECK(refused(text) == "accepted");
    CHECK(refused(with(text, "\"frond_pivots\": 1", "\"frond_pivots\": 9"))
              .find("p.json line 2: the file has version 9") == 0);
    CHECK(refused(with(text, "\"pattern\": \"", "\"pattern\": \"x"))
              .find("p.json line 4: 'pattern' must be a hexadecimal") == 0);
    CHECK(refused(with(text, "\"kept\": 2", "\"kept\": -2")).find("p.json line 11: 'kept'") == 0);
    CHECK(refused(with(text, "[0,0,", "[0,0,0,")).find("p.json line 12: 'panels' must be an array of [rows") == 0);
    CHECK(refused(with(text, "\"tried\": 1", "\"tried\": 1, \"more\": 1")).find("p.json line 11") == 0);
    CHECK(refused(text.substr(0, text.size() / 2)).find("it is not JSON") != std::string::npos);
}
