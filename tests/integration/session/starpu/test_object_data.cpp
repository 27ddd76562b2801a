// SPDX-License-Identifier: BSD-3-Clause
// Columns of run-time size as data of StarPU: tasks find the object, and it travels packed.
#include "engine/data_handle.hpp"
#include "packed_samples.hpp"
#include "scalar_lists.hpp"
#include "send_message.hpp"
#include "session/session_state.hpp"
#include "shared_session.hpp"
#include "engine/insert_task.hpp"

#include <doctest/doctest.h>

#include <cerrno>

using namespace frond;
using namespace frond::test;

namespace {

template <class Data, class Forget>
void send_and_check(const detail::DataHandle& sender, const detail::DataHandle& receiver, const Data& from,
                    const Data& to, count_t bytes, bool peek, const Forget& forget) {
    REQUIRE(all_members(to) != all_members(from));
    send_message(
        sender, receiver, bytes, peek, [&] { CHECK(all_members(to) == all_members(from)); }, forget);
}

/// The columns of `from` go to another handle's object as a message would. peek: the buffer is used twice.
template <class Columns>
void check_message(bool peek) {
    Columns from, to;
    fill(from, 1);
    fill(to, 2);
    const detail::DataHandle sender = detail::DataHandle::object(from), receiver = detail::DataHandle::object(to);
    send_and_check(sender, receiver, from, to, cpu::packed_bytes(from), peek, [&to] { to = {}; });
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
    send_and_check(sender, receiver, from, to, cpu::packed_bytes(from.pivots()), peek, [&to] { fill(to, 3); });
}

/// A message that lacks its end is refused.
template <class Columns>
void check_refusal() {
    Columns from, to;
    fill(from, 1);
    const detail::DataHandle receiver = detail::DataHandle::object(to);
    std::vector<unsigned char> message = packed(from);
    CHECK(starpu_data_peek(receiver.get(), message.data(), message.size() - 1) == -EINVAL);
    CHECK(starpu_data_peek(receiver.get(), message.data(), message.size()) == 0);
    CHECK(all_members(to) == all_members(from));
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
    state->start();
    const detail::JobGuard guard(*state);
    for (const bool peek : {true, false}) {
        check_message<cpu::FailedColumns<T>>(peek);
        check_message<cpu::DelayedColumns<T>>(peek);
        check_message<cpu::SecondPass<T>>(peek);
        check_message<cpu::SubtreePivots<T>>(peek);
        check_message<cpu::PiecePivots<T>>(peek);
        check_message<cpu::AcceptedPanel<T>>(peek);
        check_message<cpu::FailedPart<T>>(peek);
        check_message<cpu::FailedParts<T>>(peek);
        check_message<PivotOutcome>(peek);
        check_message<cpu::RowExchanges>(peek);
        check_record_message<T>(peek);
    }
    check_refusal<cpu::FailedColumns<T>>();
    check_refusal<cpu::DelayedColumns<T>>();
    check_refusal<cpu::SecondPass<T>>();
    check_refusal<cpu::SubtreePivots<T>>();
    check_refusal<cpu::PiecePivots<T>>();
    check_refusal<cpu::AcceptedPanel<T>>();
    check_refusal<cpu::FailedPart<T>>();
    check_refusal<cpu::FailedParts<T>>();
    check_refusal<PivotOutcome>();
    check_refusal<cpu::RowExchanges>();
}
TEST_CASE_TEMPLATE_APPLY(messages, Scalars);

TEST_CASE_TEMPLATE_DEFINE("tasks read and write the object in the order of their submission", T, tasks) {
    static starpu_codelet codelet = make_codelet("gather_two", gather_two_cpu<T>, 0);
    const auto state = detail::SessionState::acquire(four_workers());  // other tests here start StarPU themselves
    state->start();
    const detail::JobGuard guard(*state);
    cpu::DelayedColumns<T> sum, one, two;
    one.ncb = 1;
    one.columns.assign(3, T(1));
    two.ncb = 2;
    two.columns.assign(2, T(2));
    const detail::DataHandle sum_handle = detail::DataHandle::object(sum);
    const detail::DataHandle parts[] = {detail::DataHandle::object(one), detail::DataHandle::object(two)};
    Job job(detail::starpu_engine());
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
