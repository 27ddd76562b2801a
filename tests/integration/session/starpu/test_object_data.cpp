// SPDX-License-Identifier: BSD-3-Clause
// Columns of run-time size as data of StarPU: tasks find the object, and it travels packed.
#include "handles/data_handle.hpp"
#include "packed_samples.hpp"
#include "scalar_lists.hpp"
#include "session/session_state.hpp"
#include "shared_session.hpp"
#include "handles/insert_task.hpp"

#include <doctest/doctest.h>

#include <cerrno>

using namespace frond;
using namespace frond::test;

namespace {

/// peek: the message is read twice.
template <class Data, class Forget>
void send_message(const detail::DataHandle& sender, const detail::DataHandle& receiver, const Data& from,
                  const Data& to, count_t expected_bytes, bool peek, const Forget& forget) {
    starpu_ssize_t announced = 0, bytes = 0;
    REQUIRE(starpu_data_pack(sender.get(), nullptr, &announced) == 0);
    CHECK(announced == expected_bytes);
    void* message = nullptr;
    REQUIRE(starpu_data_pack(sender.get(), &message, &bytes) == 0);
    REQUIRE(message != nullptr);
    CHECK(bytes == announced);
    const auto size = static_cast<size_t>(bytes);
    if (peek) {
        CHECK(starpu_data_peek(receiver.get(), message, size) == 0);
        CHECK(all_members(to) == all_members(from));
        CHECK(starpu_data_peek(receiver.get(), message, size - 1) == -EINVAL);
        forget();
    }
    CHECK(starpu_data_unpack(receiver.get(), message, size) == 0);
    CHECK(all_members(to) == all_members(from));
}

/// The columns of `from` go to another handle's object as a message would: packed, received, unpacked. peek: the
/// buffer stays and is used twice.
template <class Columns>
void check_message(bool peek) {
    Columns from, to;
    fill(from, 1);
    fill(to, 2);
    const detail::DataHandle sender = detail::DataHandle::object(from), receiver = detail::DataHandle::object(to);
    send_message(sender, receiver, from, to, cpu::packed_bytes(from), peek, [&to] { to = {}; });
}

/// The same of a record.
template <class T>
void check_record_message(bool peek) {
    constexpr index_t n = 5;
    PivotSample<T> from(n), to(n);
    fill(from, 1);
    fill(to, 2);
    const auto handle_of = [](PivotSample<T>& s) {
        return detail::DataHandle::record<T>(reinterpret_cast<unsigned char*>(s.record().perm), n, s.outcome);
    };
    const detail::DataHandle sender = handle_of(from), receiver = handle_of(to);
    send_message(sender, receiver, from, to, cpu::packed_bytes(from.pivots()), peek, [&to] { fill(to, 3); });
}

template <class T>
void gather_two_cpu(void* buffers[], void* raw) noexcept {
    run_task<TaskArguments>(raw, [&](const TaskArguments&) {
        auto& sum = object_buffer<cpu::DelayedColumns<T>>(buffers, 0);
        const auto& part = object_buffer<const cpu::DelayedColumns<T>>(buffers, 1);
        sum.columns.insert(sum.columns.end(), part.columns.begin(), part.columns.end());
        sum.ncb += part.ncb;
    });
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("packed by StarPU and unpacked into other data", T, messages) {
    const auto state = detail::SessionState::acquire(four_workers());  // other tests here start StarPU themselves
    const detail::JobGuard guard(*state);
    for (const bool peek : {true, false}) {
        check_message<cpu::FailedColumns<T>>(peek);
        check_message<cpu::DelayedColumns<T>>(peek);
        check_message<cpu::SecondPass<T>>(peek);
        check_message<cpu::SubtreePivots<T>>(peek);
        check_record_message<T>(peek);
    }
}
TEST_CASE_TEMPLATE_APPLY(messages, Scalars);

TEST_CASE_TEMPLATE_DEFINE("tasks read and write the object in the order of their submission", T, tasks) {
    static starpu_codelet codelet = make_codelet("gather_two", gather_two_cpu<T>, 0);
    const auto state = detail::SessionState::acquire(four_workers());  // other tests here start StarPU themselves
    const detail::JobGuard guard(*state);
    cpu::DelayedColumns<T> sum, one, two;
    one.ncb = 1;
    one.columns.assign(3, T(1));
    two.ncb = 2;
    two.columns.assign(2, T(2));
    const detail::DataHandle sum_handle = detail::DataHandle::object(sum);
    const detail::DataHandle parts[] = {detail::DataHandle::object(one), detail::DataHandle::object(two)};
    Job job;
    for (int task = 0; task < 40; ++task) {
        const detail::Access accesses[] = {{sum_handle.get(), STARPU_RW}, {parts[task % 2].get(), STARPU_R}};
        detail::insert_task(job, codelet, TaskArguments(), accesses, 0);
    }
    job.wait();
    CHECK(sum.ncb == 20 * (1 + 2));
    REQUIRE(sum.columns.size() == 20 * (3 + 2));
    for (std::size_t i = 0; i < sum.columns.size(); ++i) CHECK(sum.columns[i] == T(i % 5 < 3 ? 1 : 2));
}
TEST_CASE_TEMPLATE_APPLY(tasks, Scalars);
