// SPDX-License-Identifier: BSD-3-Clause
// Data of static size between two ranks: contents, order with tasks, counts, who waits for whom.
#include "frond/base/error.hpp"
#include "engine/data_handle.hpp"
#include "engine/insert_task.hpp"
#include "ranks.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <numeric>
#include <vector>

using namespace frond;
using namespace frond::test;
using detail::DataHandle;

namespace {

/// All entries of buffer 0 become the step of the task, or (by != 0) are checked to be it.
struct FillArguments : TaskArguments {
    int step = 0;
    count_t size = 0;
    std::atomic<count_t>* wrong = nullptr;  // null: fill
};

void fill_cpu(void* buffers[], void* raw) noexcept {
    run_task<FillArguments>(raw, [&](const FillArguments& a) {
        int* const values = vector_buffer<int>(buffers, 0);
        for (count_t i = 0; i < a.size; ++i)
            if (a.wrong == nullptr)
                values[i] = a.step;
            else if (values[i] != a.step)
                a.wrong->fetch_add(1);
    });
}

starpu_codelet& fill_codelet() {
    static starpu_codelet codelet = make_codelet("fill", fill_cpu, 0);
    return codelet;
}

void submit_fill(Job& job, const DataHandle& handle, int step, count_t size, std::atomic<count_t>* wrong) {
    FillArguments arguments;
    arguments.step = step;
    arguments.size = size;
    arguments.wrong = wrong;
    const detail::Access access[] = {{handle.get(), wrong == nullptr ? STARPU_W : STARPU_R}};
    detail::insert_task(job, fill_codelet(), arguments, access, 0);
}

/// Bytes of this process that are in memory.
count_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    count_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

TEST_SUITE_BEGIN("two ranks");

TEST_CASE("a vector, a matrix with a gap between its columns, and nothing go from one rank to the other") {
    Door door;
    REQUIRE(door.channel->ranks() == 2);
    const index_t me = door.channel->rank();
    std::vector<double> vector(1000), square(7 * 5, -1);
    if (me == 0) {
        std::iota(vector.begin(), vector.end(), 1.0);
        for (int k = 0; k < 35; ++k) square[static_cast<std::size_t>(k)] = k;
    }
    Ends ends;
    {
        const DataHandle handles[] = {DataHandle::vector(vector.data(), 1000),
                                      DataHandle::matrix(DenseView<double>{square.data(), 6, 5, 7}),
                                      DataHandle::without_data()};
        for (std::int64_t k = 0; k < 3; ++k)
            if (me == 0)
                door.channel->send(handles[k].get(), 1, tag(k), 0, ends.after());
            else
                door.channel->receive(handles[k].get(), 0, tag(k), ends.after());
        ends.wait_for(3);
    }
    CHECK(ends.done == 3);
    for (int k = 0; k < 1000; ++k) REQUIRE(vector[static_cast<std::size_t>(k)] == k + 1);
    for (int k = 0; k < 35; ++k) CHECK(square[static_cast<std::size_t>(k)] == (me == 1 && k % 7 == 6 ? -1 : k));
    const count_t bytes = 8 * (1000 + 6 * 5);
    CHECK(door.channel->counts() ==
          (me == 0 ? detail::MessageCounts{3, 0, bytes, 0} : detail::MessageCounts{0, 3, 0, bytes}));
}

TEST_CASE("messages are ordered with tasks: 200 of them through one buffer, there and back") {
    Door door;
    const index_t me = door.channel->rank();
    constexpr count_t size = 100;
    std::vector<int> values(size);
    std::atomic<count_t> wrong{0};
    Ends ends;
    Job job(detail::starpu_engine());
    {
        const DataHandle handle = DataHandle::vector(values.data(), size);
        for (int step = 0; step < 200; ++step) {
            const bool sends = step % 2 == me;
            if (sends) submit_fill(job, handle, step, size, nullptr);
            if (sends)
                door.channel->send(handle.get(), 1 - me, tag(step), 0, ends.after());
            else
                door.channel->receive(handle.get(), 1 - me, tag(step), ends.after());
            if (!sends) submit_fill(job, handle, step, size, &wrong);
        }
        job.wait();
        ends.wait_for(200);
    }
    CHECK(wrong == 0);
    CHECK(ends.done == 200);
    CHECK(door.channel->counts().sent_messages == 100);
}

TEST_CASE("data wait with the sender until the receiver has posted, and are not received before") {
    Door door;
    const index_t me = door.channel->rank();
    constexpr count_t size = 1 << 20, count = 24;
    std::vector<std::vector<char>> buffers;
    for (count_t k = 0; k < count; ++k)
        if (me == 0 || k == 0) buffers.emplace_back(size, static_cast<char>(me == 0 ? k + 1 : 0));
    Ends ends;
    std::vector<DataHandle> handles;
    for (auto& buffer : buffers) handles.push_back(DataHandle::vector(buffer.data(), size));
    const count_t before = resident_bytes();
    if (me == 0)
        for (count_t k = 0; k < count; ++k)
            door.channel->send(handles[static_cast<std::size_t>(k)].get(), 1, tag(k), 0, ends.after());
    else
        door.channel->receive(handles[0].get(), 0, tag(count - 1), ends.after());  // the last one alone
    ends.wait_for(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    CHECK(ends.done == 1);
    CHECK(door.channel->pending() == (me == 0 ? count - 1 : 0));
    if (me == 1) CHECK(resident_bytes() - before < 8 * size);
    wait_for_all_ranks();
    if (me == 1)
        for (count_t k = 0; k + 1 < count; ++k) {
            door.channel->receive(handles[0].get(), 0, tag(k), ends.after());
            ends.wait_for(k + 2);
            REQUIRE(buffers[0][size - 1] == static_cast<char>(k + 1));
        }
    ends.wait_for(count);
    CHECK(ends.done == count);
}

TEST_CASE("a channel on which nobody sends or receives takes no processor time") {
    Door door;
    wait_for_all_ranks();
    const double before = processor_seconds();
    door.starpu->rest_workers();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    CHECK(processor_seconds() - before < 0.05);
    door.starpu->wake_workers();
    wait_for_all_ranks();
}

TEST_CASE("wrong calls are refused with a reason, and the channel serves as before") {
    Door door;
    const index_t me = door.channel->rank();
    std::vector<int> values(10, me);
    const DataHandle handle = DataHandle::vector(values.data(), 10);
    Ends ends;
    for (const index_t rank : {-1, 2, me}) {
        CHECK_THROWS_AS(door.channel->send(handle.get(), rank, tag(0), 0, ends.after()), InvalidArgument);
        CHECK_THROWS_AS(door.channel->receive(handle.get(), rank, tag(0), ends.after()), InvalidArgument);
    }
    CHECK_THROWS_AS(door.channel->send(handle.get(), 1 - me, {1 << 12, 0, 0, 0, 0}, 0, ends.after()), InvalidArgument);
    starpu_data_handle_t large = nullptr;
    starpu_vector_data_register(&large, -1, 0, (1 << 24) + 1, 4);
    CHECK_THROWS_AS(door.channel->send(large, 1 - me, tag(0), 0, ends.after()), InvalidArgument);
    starpu_data_unregister(large);
    CHECK_THROWS_AS(detail::start_channel(nullptr), InvalidArgument);
    CHECK(door.channel->pending() == 0);
    if (me == 0)
        door.channel->send(handle.get(), 1, tag(0), 0, ends.after());
    else
        door.channel->receive(handle.get(), 0, tag(0), ends.after());
    ends.wait_for(1);
    CHECK(door.channel->counts().sent_messages + door.channel->counts().received_messages == 1);
}

TEST_CASE("two channels of one process have messages of their own, also under the same tags") {
    Door first, second;
    const index_t me = first.channel->rank();
    std::vector<int> one(10, me == 0 ? 1 : 0), two(10, me == 0 ? 2 : 0);
    Ends ends;
    {
        const DataHandle handles[] = {DataHandle::vector(one.data(), 10), DataHandle::vector(two.data(), 10)};
        if (me == 0) {
            second.channel->send(handles[1].get(), 1, tag(0), 0, ends.after());
            first.channel->send(handles[0].get(), 1, tag(0), 0, ends.after());
        } else {
            first.channel->receive(handles[0].get(), 0, tag(0), ends.after());
            second.channel->receive(handles[1].get(), 0, tag(0), ends.after());
        }
        ends.wait_for(2);
    }
    CHECK(one == std::vector<int>(10, 1));
    CHECK(two == std::vector<int>(10, 2));
}

TEST_CASE("while a receive is pending that nobody serves yet, its rank takes little processor time") {
    Door door;
    const index_t me = door.channel->rank();
    std::vector<int> values(10, me);
    const DataHandle handle = DataHandle::vector(values.data(), 10);
    Ends ends;
    if (me == 1) door.channel->receive(handle.get(), 0, tag(0), ends.after());
    wait_for_all_ranks();
    door.starpu->rest_workers();
    const double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    CHECK(processor_seconds() - before < 0.25);
    door.starpu->wake_workers();
    if (me == 0) door.channel->send(handle.get(), 1, tag(0), 0, ends.after());
    ends.wait_for(1);
    CHECK(values[9] == 0);
    wait_for_all_ranks();
}

TEST_SUITE_END();
