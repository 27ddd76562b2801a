// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "study/study_cases.hpp"
#include "study/study_cases.hpp"
#include "study/study_report.hpp"
#include "study/study_report.hpp"
#include "xml_check.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace frond;
using namespace frond::cli;
using frond::test::XmlCheck;

namespace {

std::vector<StudyCase> three_cases() {
    std::vector<StudyCase> cases{{"a&b", "this", "lws", "0", 2, 4e9, 10, TimeBounds{1, 0.5, 1.5}, {3, 1, 2.25}, false},
                                 {"a&b", "this", "prio", "256", 1, 4e9, 10, {}, {}, false},
                                 {"a&b", "h200", "dmdas", "0", 0.25, 4e9, 10, {}, {}, false}};
    return cases;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

std::string refused_study(const CommandLine& line) {
    try {
        expect_study_source(line);
        const StudyMachines machines = study_machines(line);
        expect_study_cases(line, study_cases(line, machines), machines);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("a study compares the cases of one matrix on one machine") {
    const std::vector<double> ratios = ratios_to_best(three_cases());
    CHECK(ratios == std::vector<double>{2, 1, 1});
    CHECK(*median_run(three_cases()[0]) == 2.25);
    CHECK_FALSE(median_run(three_cases()[1]).has_value());
    const Json object = study_json(three_cases(), false);
    CHECK(object["cases"].size() == 3);
    CHECK(object["cases"][0]["run_seconds"] == 2.25);
    CHECK(object["cases"][0]["bounds"]["submit_seconds"] == 1.5);
    CHECK(object["cases"][1]["bounds"].is_null());
    CHECK(object["cases"][1]["tile_size"] == 256);
    CHECK(study_csv(three_cases()).find("\"a&b\",\"this\",lws,0,2,4000000000,10,2.25,1.5\n") != std::string::npos);
    CHECK(study_table(three_cases(), Style(stdout)).find("really 2.25 s (3 runs), bound 1.50 s") != std::string::npos);
    CHECK(object["cases"][0]["run_on_cards"] == false);
    CHECK(object["cases"][1]["run_on_cards"].is_null());
    std::vector<StudyCase> on_cards = three_cases();
    on_cards[0].run_on_cards = true;
    CHECK(study_json(on_cards, false)["cases"][0]["run_on_cards"] == true);
    CHECK(study_table(on_cards, Style(stdout)).find("really 2.25 s (3 runs with cards)") != std::string::npos);
}

TEST_CASE("the picture of a study shows times, bounds and runs") {
    const std::string svg = study_picture(three_cases(), "s.svg");
    CHECK(XmlCheck(svg).error() == "");
    CHECK(svg.find("a&amp;b on this") != std::string::npos);
    CHECK(svg.find("a&amp;b on h200") != std::string::npos);
    CHECK(svg.find("bounds: work 1.00 s, longest path 500 ms, submission 1.50 s") != std::string::npos);
    CHECK(svg.find("median of 3 runs: 2.25 s") != std::string::npos);
    CHECK(count(svg, "<title>simulated ") == 3);
    CHECK(svg.find("prefers-color-scheme") != std::string::npos);
    const std::string page = study_picture(three_cases(), "s.html");
    CHECK(page.starts_with("<!DOCTYPE html>"));
    CHECK(page.find(svg) != std::string::npos);
    CHECK(page.find("http://", page.find("</style>")) == std::string::npos);
    const std::string bare = study_picture({three_cases()[1]}, "s.svg");
    CHECK(bare.find("no scheduler can be quicker") == std::string::npos);
    CHECK(bare.find("real, median") == std::string::npos);
}

TEST_CASE("names with quotes and commas are one field of the table") {
    StudyCase odd = three_cases()[1];
    odd.matrix = "a \"b\", c.mtx";
    CHECK(study_csv({odd}).find("\n\"a \"\"b\"\", c.mtx\",\"this\",prio,256,1,") != std::string::npos);
}

TEST_CASE("a study says where schedulers have no influence") {
    std::vector<StudyCase> cases = three_cases();
    CHECK(study_table(cases, Style(stdout)).find("in pieces") == std::string::npos);
    cases[2].in_pieces = true;
    const std::string table = study_table(cases, Style(stdout));
    CHECK(table.find("1 of 3 cases: the tree goes to the cards in pieces") != std::string::npos);
    CHECK(table.find("--factor-place tasks compares them") != std::string::npos);
    CHECK(study_json(cases, false)["cases"][2]["on_device"] == true);
    CHECK(study_json(cases, false)["cases"][0]["on_device"] == false);
}

TEST_CASE("a study has each case once, of schedulers that there are") {
    CommandLine line;
    line.matrices = {"generate:poisson2d:8"};
    line.study.machines = "cores-64";
    line.study.schedulers = "lws,nobody";
    CHECK(refused_study(line).find("--schedulers = 'nobody' is not a scheduler of this StarPU") != std::string::npos);
    line.study.schedulers = "lws,prio,lws";
    CHECK(refused_study(line).find("--schedulers: lws is there twice") != std::string::npos);
    line.study.schedulers = "lws";
    line.study.tile_sizes = "64,0064";
    CHECK(refused_study(line).find("--tile-sizes: 64 is there twice") != std::string::npos);
    line.study.tile_sizes = "0064";
    CHECK(study_cases(line, study_machines(line)).front().tile_size == "64");
    line.study.machines = "cores-64,cores-64";
    CHECK(refused_study(line).find("--machines: cores-64 is there twice") != std::string::npos);
    line.study.machines = "cores-64";
    line.matrices.push_back(line.matrices.front());
    CHECK(refused_study(line).find("matrix: generate:poisson2d:8 is there twice") != std::string::npos);
}

TEST_CASE("a study uses the cards that it is given") {
    CommandLine line;
    line.matrices = {"generate:poisson2d:8"};
    line.study.machines = "h200";
    line.study.schedulers = "lws";
    line.options.session.gpus = 0;
    CHECK(refused_study(line) == "accepted");
    line.options.session.gpus = 2;
    CHECK(refused_study(line).find("--gpus 2: the machine h200 has 1 card") != std::string::npos);
    line.matrices.clear();
    line.study.machines = "cores-64";
    line.study.replay_file = "tasks.rec";
    CHECK(refused_study(line).find("drop --gpus") != std::string::npos);
    line.options.session.gpus = 0;
    line.study.machines = "h200";
    CHECK(refused_study(line) == "accepted");
    CHECK(study_machines(line).at("h200").card_count() == 0);
    line.options.session.gpus = -1;
    CHECK(study_machines(line).at("h200").card_count() == 1);
    line.study.machines = "cores-64";
    line.options.factor.place = FactorPlace::tasks;
    CHECK(refused_study(line).find("drop --factor-place") != std::string::npos);
}

TEST_CASE("without a list a study has schedulers that all of its machines can take") {
    CommandLine line;
    line.matrices = {"generate:poisson2d:8"};
    const auto schedulers = [&line](const std::string& machines) {
        line.study.machines = machines;
        return schedulers_of(line, study_machines(line));
    };
    CHECK(schedulers("cores-64") == "lws,prio,dmdas");
    CHECK(schedulers("cores-64,h200") == "prio,dmda,dmdas");
    CHECK(refused_study(line) == "accepted");
    CHECK(study_cases(line, study_machines(line)).size() == 6);
    line.options.session.gpus = 0;
    CHECK(schedulers("cores-64,h200") == "lws,prio,dmdas");
    line.study.schedulers = "eager";
    CHECK(schedulers("h200") == "eager");
}

TEST_CASE("a real run of a study has the tree of the simulation, whatever the tuning") {
    Options options;
    options.session.tuning = "/nonexistent/tuning.json";
    StudyCase one;
    one.matrix = "generate:poisson2d:8";
    one.scheduler = "lws";
    one.tile_size = "0";
    const RealRun run = run_really(options, one, false);
    CHECK(run.seconds >= 0);
    CHECK_FALSE(run.on_cards);
}

TEST_CASE("what a study cannot do is said before its work") {
    CommandLine line;
    CHECK(refused_study(line).find("the argument matrix is missing; give one, or --replay FILE") != std::string::npos);
    line.matrices = {"generate:poisson2d:8"};
    line.study.machines = "h200";
    line.study.schedulers = "dmdas,lws";
    CHECK(refused_study(line).find("the scheduler lws cannot serve cards") != std::string::npos);
    line.study.schedulers = "dmdas";
    CHECK(refused_study(line) == "accepted");
    line.study.runs = true;
    CHECK(refused_study(line).find("--run: only factorizations on this machine can be run") != std::string::npos);
    line.study.runs = false;
    line.study.tile_sizes = "64,many";
    CHECK(refused_study(line).find("--tile-sizes: 'many' is not a whole number") != std::string::npos);
    line.study.tile_sizes = "64,";
    CHECK(refused_study(line).find("a name between commas is missing") != std::string::npos);
    line.study.tile_sizes = "0";
    line.study.machines = "cores-64";
    line.options.session.cpu_workers = 65;
    CHECK(refused_study(line).find("--cpu-workers 65: the machine cores-64 has 64 cores") != std::string::npos);
    line.options.session.cpu_workers = 63;
    CHECK(refused_study(line) == "accepted");
    line.options.session.cpu_workers = 0;
    line.study.machines = "h200";
    line.study.replay_file = "tasks.rec";
    CHECK(refused_study(line).find("drop the matrix generate:poisson2d:8") != std::string::npos);
    line.matrices.clear();
    line.study.schedulers = "lws";
    CHECK(refused_study(line).find("the scheduler lws cannot serve cards") != std::string::npos);
    line.study.schedulers = "dmdas";
    CHECK(refused_study(line) == "accepted");
    line.study.machines = "cores-64";
    CHECK(refused_study(line) == "accepted");
    line.study.tile_sizes = "64";
    CHECK(refused_study(line).find("drop --tile-sizes") != std::string::npos);
    line.study.tile_sizes = "0";
    line.options.session.cpu_workers = 2;
    CHECK(refused_study(line).find("drop --cpu-workers") != std::string::npos);
    line.options.session.cpu_workers = 0;
    line.options.analysis.workers = 2;
    CHECK(refused_study(line).find("drop --workers") != std::string::npos);
    line.options.analysis.workers = 0;
    line.options.analysis.factorization = Factorization::lu;
    CHECK(refused_study(line).find("drop --factorization") != std::string::npos);
}
