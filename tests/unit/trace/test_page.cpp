// SPDX-License-Identifier: BSD-3-Clause
// The page as text: what its scripts read, and its size.
#include "small_traces.hpp"
#include "trace/page/page_text.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <zlib.h>

#include <numeric>

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
