// SPDX-License-Identifier: BSD-3-Clause
// Columns of run-time size as one piece of memory, and back.
#include "frond/analysis/rank_mapping.hpp"
#include "frond/base/error.hpp"
#include "packed_samples.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <complex>

using namespace frond;
using namespace frond::test;

namespace {

template <class Columns>
void check_round_trip(const Columns& columns) {
    const std::vector<unsigned char> memory = packed(columns);
    CHECK(memory.size() >= 64);
    Columns back;
    fill(back, 2);  // what was there before is replaced, however large
    cpu::unpack(memory.data(), static_cast<count_t>(memory.size()), back);
    CHECK(packed(back) == memory);
    CHECK(all_members(back) == all_members(columns));
    // From memory of any alignment.
    std::vector<unsigned char> shifted(memory.size() + 1);
    std::copy(memory.begin(), memory.end(), shifted.begin() + 1);
    Columns again;
    cpu::unpack(shifted.data() + 1, static_cast<count_t>(memory.size()), again);
    CHECK(packed(again) == memory);
}

template <class Columns>
void check_columns() {
    Columns columns;
    check_round_trip(columns);
    const std::vector<unsigned char> before = packed(columns);
    fill(columns, 1);
    CHECK(packed(columns) != before);
    check_round_trip(columns);
}

/// Every prefix of what was packed, and more than it, is refused.
template <class Columns>
void check_refusals() {
    Columns columns;
    fill(columns, 1);
    std::vector<unsigned char> memory = packed(columns);
    const auto refused = [](const std::vector<unsigned char>& from, std::size_t bytes) {
        Columns to;
        CHECK_THROWS_AS(cpu::unpack(from.data(), static_cast<count_t>(bytes), to), RuntimeError);
    };
    for (std::size_t bytes = 0; bytes < memory.size(); ++bytes) refused(memory, bytes);
    // A header that fits the length, before members that do not: the first list is longer than the memory.
    for (const unsigned char length : {0x7F, 0xFF}) {
        std::vector<unsigned char> wrong = memory;
        std::fill_n(wrong.begin() + 72, 16, length);
        refused(wrong, wrong.size());
    }
    memory.push_back(0);
    refused(memory, memory.size());
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("packed columns come back as they were", T, round_trips) {
    check_columns<cpu::FailedColumns<T>>();
    check_columns<cpu::DelayedColumns<T>>();
    check_columns<cpu::SecondPass<T>>();
    check_columns<cpu::AcceptedPanel<T>>();
    check_columns<cpu::FailedPart<T>>();
    check_columns<cpu::SubtreePivots<T>>();
    check_columns<cpu::PiecePivots<T>>();
    check_columns<PivotOutcome>();
    check_columns<cpu::RowExchanges>();
}
TEST_CASE_TEMPLATE_APPLY(round_trips, Scalars);

TEST_CASE_TEMPLATE_DEFINE("parts of failed columns come back as they were", T, failed_parts) {
    cpu::FailedParts<T> parts;
    parts.made = 1;
    for (const index_t tile : {3, 5}) fill(parts.add(tile), static_cast<int>(tile));
    const std::vector<unsigned char> memory = packed(parts);
    cpu::FailedParts<T> back;
    fill(back.add(1), 1);
    cpu::unpack(memory.data(), static_cast<count_t>(memory.size()), back);
    CHECK(packed(back) == memory);
    CHECK(back.made == 1);
    REQUIRE(back.find(5) != nullptr);
    CHECK(all_members(*back.find(5)) == all_members(parts.parts[1]));
    CHECK(back.find(1) == nullptr);
}
TEST_CASE_TEMPLATE_APPLY(failed_parts, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a packed pivot record comes back in the memory of another", T, records) {
    for (const index_t n : {1, 2, 17}) {
        CAPTURE(n);
        PivotSample<T> from(n), to(n), of_more(n + 1);
        fill(from, 1);
        fill(to, 2);
        fill(of_more, 2);
        const std::vector<unsigned char> memory = packed(from.pivots());
        const auto bytes = static_cast<count_t>(memory.size());
        CHECK(all_members(to) != all_members(from));
        auto pivots = to.pivots();
        cpu::unpack(memory.data(), bytes, pivots);
        CHECK(all_members(to) == all_members(from));
        auto more = of_more.pivots();
        CHECK_THROWS_AS(cpu::unpack(memory.data(), bytes, more), RuntimeError);
        for (count_t less = 0; less < bytes; ++less)
            CHECK_THROWS_AS(cpu::unpack(memory.data(), less, pivots), RuntimeError);
    }
}
TEST_CASE_TEMPLATE_APPLY(records, Scalars);

TEST_CASE_TEMPLATE_DEFINE("what is not such columns is refused", T, refusals) {
    check_refusals<cpu::FailedColumns<T>>();
    check_refusals<cpu::DelayedColumns<T>>();
    cpu::DelayedColumns<T> delayed;
    const std::vector<unsigned char> memory = packed(delayed);
    cpu::FailedColumns<T> failed;
    CHECK_THROWS_AS(cpu::unpack(memory.data(), static_cast<count_t>(memory.size()), failed), RuntimeError);
}
TEST_CASE_TEMPLATE_APPLY(refusals, Scalars);

TEST_CASE_TEMPLATE_DEFINE("columns of another scalar are refused", T, other_scalars) {
    using Other = std::conditional_t<is_complex<T>, real_t<T>, std::complex<T>>;
    cpu::DelayedColumns<T> columns;
    std::vector<unsigned char> memory = packed(columns);
    const auto refused = [&] {
        CHECK_THROWS_AS(cpu::unpack(memory.data(), static_cast<count_t>(memory.size()), columns), RuntimeError);
    };
    constexpr std::size_t scalar_bytes_at = 8, is_complex_at = 12;
    REQUIRE(memory[scalar_bytes_at] == sizeof(T));
    REQUIRE(memory[is_complex_at] == (is_complex<T> ? 1 : 0));
    memory[scalar_bytes_at] = sizeof(Other);
    refused();
    memory[is_complex_at] = is_complex<Other> ? 1 : 0;
    refused();
    memory[scalar_bytes_at] = sizeof(T);
    refused();
}
TEST_CASE_TEMPLATE_APPLY(other_scalars, Scalars);

TEST_CASE("the account stays with what is unpacked, and is asked for nothing") {
    using T = std::tuple_element_t<0, Scalars>;
    struct NoAccount final : cpu::MemoryAccount {
        void take(count_t) override { FAIL("taken"); }
        void give(count_t) noexcept override {}
    } account;
    cpu::FailedColumns<T> from, to(0, 0, &account);
    fill(from, 1);
    const std::vector<unsigned char> memory = packed(from);
    cpu::unpack(memory.data(), static_cast<count_t>(memory.size()), to);
    CHECK(to.account == &account);
    CHECK(to.rows() == from.rows());
}

TEST_CASE_TEMPLATE_DEFINE("delayed columns that are none take as many bytes as the plan of messages says", T, none) {
    CHECK(cpu::packed_bytes(cpu::DelayedColumns<T>()) == no_delayed_columns_bytes);
    CHECK(cpu::packed_bytes(cpu::AcceptedPanel<T>()) == accepted_panel_bytes);
    CHECK(cpu::packed_bytes(cpu::FailedParts<T>()) == no_failed_parts_bytes);
    CHECK(cpu::packed_bytes(cpu::SecondPass<T>()) == no_second_pass_bytes);
}
TEST_CASE_TEMPLATE_APPLY(none, Scalars);

TEST_CASE_TEMPLATE_DEFINE("pivot records take as many bytes as the plan of messages says", T, record_bytes) {
    for (const index_t n : {0, 1, 17}) {
        std::vector<unsigned char> memory(static_cast<std::size_t>(PivotRecord<T>::bytes(n)));
        PivotOutcome outcome;
        const cpu::PanelPivots<T> pivots{n, &outcome, PivotRecord<T>::at(memory.data(), n)};
        CHECK(cpu::packed_bytes(pivots) == pivot_record_bytes(n, static_cast<count_t>(sizeof(T))));
    }
}
TEST_CASE_TEMPLATE_APPLY(record_bytes, Scalars);

TEST_CASE("the header of a rank that has stopped is known, and is nothing else") {
    std::vector<unsigned char> stopped(static_cast<std::size_t>(cpu::packed_header_bytes));
    cpu::pack_stopped(stopped.data());
    CHECK(cpu::is_stopped(stopped.data(), cpu::packed_header_bytes));
    CHECK_FALSE(cpu::is_stopped(stopped.data(), cpu::packed_header_bytes - 1));
    CHECK_FALSE(cpu::is_stopped(packed(PivotOutcome()).data(), cpu::packed_header_bytes));
    PivotOutcome outcome;
    CHECK_THROWS_AS(cpu::unpack(stopped.data(), cpu::packed_header_bytes, outcome), RuntimeError);
    stopped[0] ^= 1;
    CHECK_FALSE(cpu::is_stopped(stopped.data(), cpu::packed_header_bytes));
}
