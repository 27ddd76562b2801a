// SPDX-License-Identifier: BSD-3-Clause
// The page as text: what its scripts read, and its size.
#include "small_traces.hpp"
#include "trace/page/page_text.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <zlib.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace frond::cli;
using namespace frond::test;

namespace {

constexpr double of_unit = 1e-8;  // times are whole numbers of the end / 2^31

std::vector<std::uint8_t> unpacked(const std::string& base64) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::uint8_t> packed;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : base64) {
        if (c == '=') break;
        bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
        if ((count += 6) >= 8) packed.push_back(static_cast<std::uint8_t>(bits >> (count -= 8)));
    }
    std::vector<std::uint8_t> bytes(64 << 20);
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
    stream.next_in = packed.data();
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = bytes.data();
    stream.avail_out = static_cast<uInt>(bytes.size());
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    bytes.resize(stream.total_out);
    inflateEnd(&stream);
    return bytes;
}

std::vector<std::uint32_t> column(const PageData& data, const std::string& name) {
    const nlohmann::json& index = data.facts["columns"][name];
    const std::vector<std::uint8_t> bytes = unpacked(data.columns);
    const auto count = index["count"].get<std::size_t>(), offset = index["offset"].get<std::size_t>();
    std::vector<std::uint32_t> numbers(count, 0);
    for (std::size_t byte = 0; byte < 4; ++byte)
        for (std::size_t i = 0; i < count; ++i)
            numbers[i] |= std::uint32_t{bytes[offset + byte * count + i]} << (8 * byte);
    std::uint32_t before = 0;
    if (index["coding"] == "differences")
        for (std::uint32_t& n : numbers) before = n = before + ((n >> 1) ^ (~(n & 1) + 1));
    return numbers;
}

/// The bytes of a column of the page.
std::vector<std::uint8_t> bytes_of(const PageData& data, const std::string& name) {
    const nlohmann::json& index = data.facts["columns"][name];
    const std::vector<std::uint8_t> all = unpacked(data.columns);
    const auto begin = all.begin() + index["offset"].get<std::ptrdiff_t>();
    return {begin, begin + index["count"].get<std::ptrdiff_t>()};
}

/// What the scripts of a page read.
nlohmann::json facts_on(const std::string& page) {
    const std::string mark = "<script type=\"application/json\" id=\"facts\">";
    const std::size_t begin = page.find(mark) + mark.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

/// Tasks one after the other on each of two workers, of which each waits for the one before.
Trace chain(int tasks) {
    Trace trace = empty_trace({2}, 1);
    std::vector<std::vector<int>> before;
    for (int t = 0; t < tasks; ++t) {
        TraceTask task = small_task(0, t % 2, t, t + 1, 1000);
        task.name = "update_tile front " + std::to_string(t / 3) + " tile (" + std::to_string(t % 3) + ",0)";
        task.job = 5 * t;
        task.priority = 3 - t;
        trace.tasks.push_back(task);
        before.push_back(t > 0 ? std::vector<int>{t - 1} : std::vector<int>{});
    }
    trace.graph = small_graph(before);
    trace.phases.push_back({"factorization", 0, static_cast<double>(tasks)});
    return trace;
}

}  // namespace

TEST_CASE("the arrays of a page give each task back") {
    const Trace trace = chain(40);
    const TraceFacts facts = facts_of(trace);
    const PageData data = page_data({"A.mtx", false, {}}, trace, facts, nullptr, 1000);
    CHECK(data.facts["first_task"] == nlohmann::json({0, 20, 40}));
    CHECK(data.facts["left_out"] == 0);
    const double unit = data.facts["unit"];
    const std::vector<std::uint32_t> begin = column(data, "task.begin"), job = column(data, "task.job"),
                                     priority = column(data, "task.priority"), name = column(data, "task.name");
    const std::vector<std::uint32_t> front = column(data, "task.number0"), row = column(data, "task.number1");
    for (std::size_t i = 0; i < 40; ++i) {
        const std::size_t t = i < 20 ? 2 * i : 2 * (i - 20) + 1;  // worker 0 has the even ones
        CHECK(begin[i] * unit == doctest::Approx(trace.tasks[t].begin).epsilon(of_unit));
        CHECK(job[i] == 5 * t);
        CHECK(static_cast<std::int32_t>(priority[i]) == 3 - static_cast<int>(t));
        CHECK(data.facts["names"][name[i]]["text"] == "update_tile front # tile (#,#)");
        CHECK(front[i] == t / 3);
        CHECK(row[i] == t % 3);
    }
    REQUIRE(data.facts["phases"].size() == 1);
    CHECK(data.facts["phases"][0]["critical_path"].size() == 40);
    CHECK(data.facts["phases"][0]["bounds"]["critical_path"] == doctest::Approx(40));
    CHECK(data.facts["phases"][0]["split"]["graph"] == doctest::Approx(0.5));
}

TEST_CASE("of too many tasks a page has the longest, and says how many are missing") {
    Trace trace = chain(10);
    trace.tasks[9].end = 20;
    const PageData data = page_data({"A.mtx", false, {}}, trace, facts_of(trace), nullptr, 1);
    CHECK(data.facts["left_out"] == 9);
    CHECK(data.facts["tasks"] == 10);
    CHECK(column(data, "task.job") == std::vector<std::uint32_t>{45});
}

TEST_CASE("a page keeps to its bytes, and leaves out no more tasks than it has to") {
    Trace trace = chain(6000);
    std::mt19937 random(5);
    for (TraceTask& task : trace.tasks) {  // which do not pack well
        task.end = task.begin + 1 + 1e-6 * (random() % 1000000);
        task.flops = random();
        task.bytes = random();
        task.footprint = random();
    }
    const TraceFacts facts = facts_of(trace);
    const std::size_t all = page_text({"A.mtx", false, {}}, trace, facts, nullptr).size();
    const std::size_t bare = page_text({"A.mtx", false, {}}, trace, facts, nullptr, 1).size();
    REQUIRE(all - bare > 100'000);
    const std::size_t most = bare + (all - bare) / 2;
    const std::string page = page_text({"A.mtx", false, {}}, trace, facts, nullptr, most);
    CHECK(page.size() <= most);
    const nlohmann::json json = facts_on(page);
    CHECK(json["tasks"] == 6000);
    const auto left_out = json["left_out"].get<std::size_t>(), kept = 6000 - left_out;
    CHECK(kept > 1000);
    CHECK(kept < 4500);
    CHECK(json["columns"]["task.job"]["count"] == kept);
    CHECK(json["phases"][0]["kinds"][0]["count"] == 6000);
    CHECK(json["phases"][0]["critical_tasks"] == 6000);
    CHECK(facts_on(page_text({"A.mtx", false, {}}, trace, facts, nullptr, all))["left_out"] == 0);
    CHECK(facts_on(page_text({"A.mtx", false, {}}, trace, facts, nullptr, 1))["left_out"] == 6000);
}

TEST_CASE("where a page leaves out tasks its coarse views have their time, however few they are") {
    const Trace trace = chain(40);
    const TraceFacts facts = facts_of(trace);
    CHECK(page_data({"A.mtx", false, {}}, trace, facts, nullptr, 40).facts["levels"].empty());
    const PageData none = page_data({"A.mtx", false, {}}, trace, facts, nullptr, 0);
    CHECK(none.facts["columns"]["task.begin"]["count"] == 0);
    REQUIRE(none.facts["levels"] == nlohmann::json({1024, 4096, 16384}));
    for (const char* parts : {"1024", "4096", "16384"}) {
        const std::vector<std::uint8_t> busy = bytes_of(none, std::string("level.") + parts + ".busy");
        const double all = std::accumulate(busy.begin(), busy.end(), 0.0) / 255;
        CHECK(all == doctest::Approx(std::stod(parts)).epsilon(0.01));  // one of both workers is busy at any time
    }
}

TEST_CASE("of too many spans and notes a page says how many are missing") {
    Trace trace = chain(4);
    const auto end = static_cast<double>(trace.tasks.size());
    const auto span = [&](std::size_t k) {
        return WorkerSpan{0, StateClass::overhead, end * 1e-6 * k, end * 1e-6 * (k + 1)};
    };
    for (std::size_t k = 0; k < most_page_spans + 3; ++k) trace.states.push_back(span(k));  // all as long
    trace.states.back().end = end;  // but for the last one
    for (std::size_t k = 0; k < most_page_notes + 2; ++k) trace.notes.push_back({1e-3, std::to_string(k)});
    trace.transfers.push_back({0, 0, 8, 0, 1});
    const PageData data = page_data({"A.mtx", false, {}}, trace, facts_of(trace), nullptr, 4);
    CHECK(data.facts["left_out_states"] == 3);
    CHECK(data.facts["left_out_transfers"] == 0);
    CHECK(data.facts["left_out_node_states"] == 0);
    CHECK(data.facts["columns"]["span.begin"]["count"] == most_page_spans);
    CHECK(data.facts["notes"].size() == most_page_notes);
    CHECK(data.facts["left_out_notes"] == 2);
    const std::vector<std::uint32_t> lengths = column(data, "span.length");
    CHECK(*std::max_element(lengths.begin(), lengths.end()) * data.facts["unit"].get<double>() > 0.5 * end);
    const std::string page = page_text({"A.mtx", false, {}}, trace, facts_of(trace), nullptr);
    for (const char* text : {"leftOutText(facts)", "paje.trace has all", "left_out_notes"})
        CHECK(page.find(text) != std::string::npos);
}

TEST_CASE("a page is one document, whatever the name of the matrix") {
    const Trace trace = chain(4);
    const std::string page = page_text({"</script>@COLUMNS@<b>&", false, {}}, trace, facts_of(trace), nullptr);
    CHECK(page.starts_with("<!DOCTYPE html>"));
    CHECK(page.find("<title>Trace of &lt;/script>@COLUMNS@&lt;b>&amp;</title>") != std::string::npos);
    CHECK(page.find("@FACTS@") == std::string::npos);
    CHECK(page.find("/*SCRIPT*/") == std::string::npos);
    CHECK(page.find("http://") == std::string::npos);
    CHECK(page.find("https://") == std::string::npos);
    std::size_t scripts = 0;
    for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++scripts;
    CHECK(scripts == 3);
}
