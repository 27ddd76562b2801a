// SPDX-License-Identifier: BSD-3-Clause
// Data of run-time size between two ranks: records, failed columns and contribution blocks, also empty ones.
#include "frond/base/error.hpp"
#include "engine/data_handle.hpp"
#include "messages/job_messages.hpp"
#include "packed_samples.hpp"
#include "ranks.hpp"
#include "scalar_lists.hpp"

using namespace frond;
using namespace frond::test;
using detail::DataHandle;

namespace {

/// Rank 0 sends, rank 1 receives.
void pass(Door& door, starpu_data_handle_t handle, std::int64_t index, Ends& ends) {
    if (door.channel->rank() == 0)
        door.channel->send(handle, 1, tag(index), 0, ends.after());
    else
        door.channel->receive(handle, 0, tag(index), ends.after());
}

/// Rank 0 has `from`, rank 1 had `before` and has `from` afterwards.
template <class Columns>
void check_columns(Door& door, const Columns& from, const Columns& before) {
    Columns here = door.channel->rank() == 0 ? from : before;
    Ends ends;
    const detail::MessageCounts counted = door.channel->counts();
    {
        const DataHandle handle = DataHandle::object(here);
        pass(door, handle.get(), 1, ends);
        ends.wait_for(1);
    }
    CHECK(ends.done == 1);
    CHECK(all_members(here) == all_members(from));
    const detail::MessageCounts now = door.channel->counts();
    CHECK(now.sent_bytes + now.received_bytes - counted.sent_bytes - counted.received_bytes == cpu::packed_bytes(from));
}

template <class Columns>
void check_filled_and_empty(Door& door) {
    Columns one, two;
    const Columns empty;
    fill(one, 1);
    fill(two, 2);
    check_columns(door, one, two);
    check_columns(door, one, empty);
    check_columns(door, empty, two);
    check_columns(door, empty, empty);
}

template <class T>
void check_record(Door& door) {
    constexpr index_t n = 5;
    PivotSample<T> from(n), here(n);
    fill(from, 1);
    fill(here, door.channel->rank() == 0 ? 1 : 2);
    Ends ends;
    {
        const DataHandle handle =
            DataHandle::record<T>(reinterpret_cast<unsigned char*>(here.record().perm), n, here.outcome);
        pass(door, handle.get(), 2, ends);
        ends.wait_for(1);
    }
    CHECK(ends.done == 1);
    CHECK(all_members(here) == all_members(from));
}

/// A block of static size: as the tile that it is in, and packed by columns in one vector.
template <class T>
void check_contribution(Door& door, index_t rows, index_t cols) {
    const bool sends = door.channel->rank() == 0;
    const index_t ld = rows + 3;
    std::vector<T> tile(static_cast<std::size_t>(ld) * static_cast<std::size_t>(cols), T(-1)), vector;
    for (index_t k = 0; k < rows * cols; ++k) vector.push_back(sends ? T(static_cast<real_t<T>>(k + 1)) : T(0));
    const auto entry = [&](index_t i, index_t j) -> T& { return tile[static_cast<std::size_t>(i + j * ld)]; };
    for (index_t j = 0; j < cols && sends; ++j)
        for (index_t i = 0; i < rows; ++i) entry(i, j) = T(static_cast<real_t<T>>(i - j));
    Ends ends;
    {
        const DataHandle handles[] = {DataHandle::matrix(DenseView<T>{tile.data(), rows, cols, ld}),
                                      DataHandle::vector(vector.data(), count_t{rows} * cols)};
        pass(door, handles[0].get(), 3, ends);
        pass(door, handles[1].get(), 4, ends);
        ends.wait_for(2);
    }
    for (index_t k = 0; k < rows * cols; ++k)
        REQUIRE(vector[static_cast<std::size_t>(k)] == T(static_cast<real_t<T>>(k + 1)));
    for (index_t j = 0; j < cols; ++j)
        for (index_t i = 0; i < ld; ++i) REQUIRE(entry(i, j) == (i < rows ? T(static_cast<real_t<T>>(i - j)) : T(-1)));
}

struct Huge {};

/// Says that it is larger than a message may be; has no such memory.
const ObjectOperations& huge_operations() {
    static constexpr ObjectOperations operations{[](const void*) { return cpu::most_packed_bytes + 1; },
                                                 [](const void*, unsigned char*) { std::abort(); },
                                                 [](const unsigned char*, count_t, void*) { std::abort(); }};
    return operations;
}

}  // namespace

TEST_SUITE_BEGIN("two ranks");

TEST_CASE_TEMPLATE_DEFINE("failed columns and pivots travel packed, also empty ones", T, packed_columns) {
    Door door;
    check_filled_and_empty<cpu::FailedColumns<T>>(door);
    check_filled_and_empty<cpu::DelayedColumns<T>>(door);
    check_filled_and_empty<cpu::SecondPass<T>>(door);
    cpu::SubtreePivots<T> one, two;
    fill(one, 1);
    fill(two, 2);
    check_record<T>(door);
    {
        Ends ends;
        cpu::SubtreePivots<T>& here = door.channel->rank() == 0 ? one : two;
        const DataHandle handle = DataHandle::object(here);
        pass(door, handle.get(), 5, ends);
        ends.wait_for(1);
        cpu::SubtreePivots<T> expected;
        fill(expected, 1);
        CHECK(all_members(here) == all_members(expected));
    }
}
TEST_CASE_TEMPLATE_APPLY(packed_columns, Scalars);

TEST_CASE_TEMPLATE_DEFINE("contribution blocks travel as tiles and as vectors", T, contributions) {
    Door door;
    check_contribution<T>(door, 40, 30);
    check_contribution<T>(door, 1, 1);
}
TEST_CASE_TEMPLATE_APPLY(contributions, Scalars);

TEST_CASE("a message of a rank that has stopped leaves an object as it was, and says so") {
    Door door;
    cpu::DelayedColumns<double> block, before;
    fill(block, 1);
    fill(before, 1);
    std::vector<double> vector(100, 3);
    Ends ends;
    {
        const DataHandle handles[] = {DataHandle::object(block), DataHandle::object_of(nullptr, stopped_operations()),
                                      DataHandle::vector(vector.data(), 100), DataHandle::without_data()};
        const bool sends = door.channel->rank() == 0;
        pass(door, handles[sends ? 1 : 0].get(), 1, ends);
        pass(door, handles[sends ? 3 : 2].get(), 2, ends);
        ends.wait_for(2);
    }
    CHECK(ends.stopped == (door.channel->rank() == 0 ? 0 : 1));  // of static data nothing says it
    CHECK(all_members(block) == all_members(before));
    CHECK(vector == std::vector<double>(100, 3));
}

TEST_CASE("what a stopped rank does not want goes into its sinks") {
    Door door;
    cpu::DelayedColumns<double> block;
    fill(block, 1);
    std::vector<char> small(100, 1), large(1000, 2);
    Ends ends;
    {
        const DataHandle handles[] = {DataHandle::object(block), DataHandle::object_of(nullptr, stopped_operations()),
                                      DataHandle::vector(small.data(), 100), DataHandle::vector(large.data(), 1000)};
        const bool sends = door.channel->rank() == 0;
        pass(door, handles[sends ? 0 : 1].get(), 1, ends);
        pass(door, handles[sends ? 2 : 3].get(), 2, ends);
        ends.wait_for(2);
    }
    CHECK(ends.done == 2);
    if (door.channel->rank() == 1) CHECK((large[99] == 1 && large[100] == 2));
}

TEST_CASE("what an object cannot hold is said, and fails the job of the receiver alone") {
    Door door;
    const bool sends = door.channel->rank() == 0;
    cpu::DelayedColumns<double> delayed;
    cpu::FailedColumns<double> failed;
    fill(delayed, 1);
    Job job(detail::starpu_engine());
    {
        const DataHandle handle = sends ? DataHandle::object(delayed) : DataHandle::object(failed);
        if (sends)
            detail::send(job, *door.channel, handle.get(), 1, tag(1), 0);
        else
            detail::receive(job, *door.channel, handle.get(), 0, tag(1));
        if (sends)
            CHECK_NOTHROW(job.wait());
        else
            CHECK_THROWS_AS(job.wait(), RuntimeError);
    }
    Job next(detail::starpu_engine());
    check_columns(door, delayed, {});
}

TEST_CASE("what is larger than a message may be is not sent; the receiver hears that its sender has stopped") {
    Door door;
    cpu::DelayedColumns<double> block;
    Ends ends;
    {
        const DataHandle handles[] = {DataHandle::object_of(nullptr, huge_operations()), DataHandle::object(block)};
        pass(door, handles[door.channel->rank()].get(), 1, ends);
        ends.wait_for(1);
    }
    CHECK(ends.stopped == door.channel->rank());
}

TEST_SUITE_END();
