// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/model_file.hpp"
#include "simulate/model_file.hpp"

#include "frond/base/error.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace frond;
using namespace frond::cli;

namespace {

TaskWork random_work(std::mt19937& random) {
    std::uniform_real_distribution<double> exponent(0, 3);
    TaskWork work;
    work.flops = 1e5 * std::pow(10, exponent(random));
    work.bytes = 1e4 * std::pow(10, exponent(random));
    work.items = 10 * std::pow(10, exponent(random));
    work.rows = 100 * std::pow(10, exponent(random));
    return work;
}

/// Relative; what squares of the condition of some dozen samples leave of double precision.
constexpr double exact_fit = 1e-6;
constexpr double most_items = 1e4;  // of random_work
/// Relative; what is left out changes nothing but rounding.
constexpr double one_of_many = 1e-3;
/// What the fit takes for no time at all is 1 ns.
constexpr double unresolved_seconds = 1e-8;

const std::string kinds_of_all =
    R"("task": {"seconds": 0}, "submit": {"seconds": 0}, "start": {"seconds": 0}, "finish": {"seconds": 0}, )"
    R"("system": {"seconds": 0}, "scaling": {"seconds": 0}, "scaling llt": {"seconds": 0})";

std::string refusal_of_models(const std::string& text) {
    try {
        static_cast<void>(parse_models(text, "models.json"));
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("samples that follow a model give that model") {
    std::mt19937 random(21);
    const TimeModel model{2e-6, {3e-11, 2e-10, 0, 1e-9}};
    std::vector<TimeSample> samples;
    for (int i = 0; i < 60; ++i) {
        const TaskWork work = random_work(random);
        samples.push_back({work, model.of(work)});
    }
    const TimeModel fitted = fit_model(samples);
    CHECK(std::abs(fitted.seconds - model.seconds) < exact_fit * model.seconds);
    for (const std::size_t term : {std::size_t{0}, std::size_t{1}, std::size_t{3}})
        CHECK(std::abs(fitted.per_term[term] - model.per_term[term]) < exact_fit * model.per_term[term]);
    CHECK(fitted.per_term[2] * most_items < exact_fit * model.seconds);
    CHECK(mean_error_of(fitted, samples) < exact_fit);
}

TEST_CASE("a task during which others ran does not count") {
    std::vector<TimeSample> samples;
    for (int i = 1; i <= 40; ++i) samples.push_back({{1e6 * i, 0, 0, 0}, 1e-5 * i});
    samples.push_back({{2e6, 0, 0, 0}, 1});
    const TimeModel model = fit_model(samples);
    const double expected = 1e-4;
    CHECK(std::abs(model.of({1e7, 0, 0, 0}) - expected) < one_of_many * expected);
}

TEST_CASE("no time is negative, whatever the samples say") {
    std::vector<TimeSample> samples;
    for (int i = 1; i <= 20; ++i) samples.push_back({{1e6 * i, 1e4, 0, 0}, 1e-4 / i});  // more operations, less time
    const TimeModel model = fit_model(samples);
    CHECK(model.seconds >= 0);
    for (const double term : model.per_term) CHECK(term >= 0);
    CHECK(model.of({5e6, 1e4, 0, 0}) > 0);
}

TEST_CASE("one sample alone, and samples of no time") {
    CHECK(std::abs(fit_model({{{1e6, 0, 0, 0}, 1e-3}}).of({1e6, 0, 0, 0}) - 1e-3) < exact_fit * 1e-3);
    CHECK(fit_model({{{}, 0}, {{}, 0}}).of({}) < unresolved_seconds);
    CHECK_THROWS_AS(fit_model({}), InvalidArgument);
}

TEST_CASE("a file of models is read and written") {
    const std::string text = R"({"processor": "p", "date": "2026-11-24", "kinds": {)" + kinds_of_all +
                             R"(, "update_tile lower": {"seconds": 1e-6, "flop": 2e-11, "byte": 3e-10}}})";
    const ModelFile file = parse_models(text, "models.json");
    CHECK(file.processor == "p");
    REQUIRE(file.models.size() == 8);
    const TimeModel& model = file.models.at("update_tile lower");
    CHECK(model.of({1e6, 1e3, 5, 5}) == 1e-6 + 2e-11 * 1e6 + 3e-10 * 1e3);
    CHECK(text_of_models(parse_models(text_of_models(file), "again")) == text_of_models(file));
    CHECK(at_speed(file.models, 2).at("update_tile lower").per_term[0] == 1e-11);
}

TEST_CASE("wrong files of models are refused with file, line and reason") {
    CHECK(refusal_of_models("{\"processor\": \"p\", \"date\": \"d\",\n\"kinds\": {}}") ==
          "models.json line 2: the model of 'task' is missing");
    CHECK(refusal_of_models("{\"processor\": \"p\", \"date\": \"d\",\n\"kinds\": {" + kinds_of_all +
                            ",\n\"x\": {\"seconds\": -1}}}")
              .starts_with("models.json line 3: 'seconds' is -1"));
    CHECK(refusal_of_models("{\"processor\": \"p\", \"date\": \"d\",\n\"kinds\": {" + kinds_of_all +
                            ",\n\"x\": {\"seconds\": 1, \"watt\": 3}}}")
              .starts_with("models.json line 3: x has no 'watt'"));
    const std::string of_piece = "{\"processor\": \"p\", \"date\": \"d\",\n\"kinds\": {" + kinds_of_all +
                                 ",\n\"card factor_piece llt\": {\"seconds\": 1e-3, \"row\": ";
    CHECK(refusal_of_models(of_piece + "1e-8}}}") == "accepted");
    CHECK(refusal_of_models(of_piece + "2e-4}}}").find("is a time for each level, as Frond recorded it until") !=
          std::string::npos);
    CHECK(refusal_of_models("{\"processor\": \"p\", \"date\": \"d\", \"kinds\": 1}")
              .starts_with("models.json line 1: 'kinds' must be an object"));
    CHECK(refusal_of_models("{").starts_with("models.json line 1: it is not JSON"));
}
