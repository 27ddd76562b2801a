// SPDX-License-Identifier: BSD-3-Clause
// No block of run-time size enters a rank's memory before its account has room for it.
#include "frond/base/error.hpp"
#include "engine/data_handle.hpp"
#include "engine/insert_task.hpp"
#include "memory/deferred_units.hpp"
#include "memory/memory_budget.hpp"
#include "memory/unit_account.hpp"
#include "messages/job_messages.hpp"
#include "packed_samples.hpp"
#include "ranks.hpp"
#include "scalar_lists.hpp"
#include "tasks/messages/blocks.hpp"

using namespace frond;
using namespace frond::test;
using detail::DataHandle;

namespace {

constexpr MessageTag announced{0, 0, 0, 0, 0}, block_tag{0, 0, 0, 1, 0};

template <class T>
void submit_announce(Job& job, const DataHandle& block, const DataHandle& announcement) {
    const detail::Access accesses[] = {{block.get(), STARPU_R}, {announcement.get(), STARPU_W}};
    detail::insert_task(job, announce_block_codelet<T>(), AnnounceBlockArguments{}, accesses, 0);
}

void submit_grant(Job& job, const DataHandle& announcement, const DataHandle& block, detail::UnitAccount& account) {
    GrantBlockArguments arguments;
    arguments.account = &account;
    arguments.deferral = &account;
    const detail::Access accesses[] = {{announcement.get(), STARPU_R}, {block.get(), STARPU_W}};
    detail::insert_task(job, grant_block_codelet(), arguments, accesses, 0);
}

/// Rank 0 sends `block`, rank 1 receives it: announcement, grant, block. between(): on the receiver, with all posted.
template <class T, class Between>
void pass_block(Door& door, Job& job, cpu::DelayedColumns<T>& block, detail::UnitAccount& account,
                const Between& between) {
    Announcement announcement;
    const DataHandle handles[] = {DataHandle::object(block),
                                  DataHandle::vector(reinterpret_cast<unsigned char*>(&announcement),
                                                     static_cast<count_t>(sizeof announcement))};
    if (door.channel->rank() == 0) {
        submit_announce<T>(job, handles[0], handles[1]);
        detail::send(job, *door.channel, handles[1].get(), 1, announced, 0);
        detail::send(job, *door.channel, handles[0].get(), 1, block_tag, 0);
    } else {
        detail::receive(job, *door.channel, handles[1].get(), 0, announced);
        submit_grant(job, handles[1], handles[0], account);
        detail::receive(job, *door.channel, handles[0].get(), 0, block_tag);
    }
    between();
    job.wait_quietly();
}

}  // namespace

TEST_SUITE_BEGIN("two ranks");

TEST_CASE_TEMPLATE_DEFINE("a block that does not fit stays with its sender until bytes are given back", T, waits) {
    Door door;
    const bool receives = door.channel->rank() == 1;
    cpu::DelayedColumns<T> block, expected;
    fill(expected, 30);
    if (!receives) fill(block, 30);
    Job job(detail::starpu_engine());
    detail::DeferredUnits deferred(1, job);
    detail::MemoryBudget budget(0, expected.bytes());
    detail::UnitAccount account(budget, deferred, {.number = 0, .order = 10}, true);
    count_t sum = 0;
    REQUIRE(budget.try_add_unforeseen(1, sum));  // one byte too many
    pass_block(door, job, block, account, [&] {
        if (!receives) return wait_for_all_ranks();
        std::vector<index_t> fronts;
        while (fronts.empty()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            deferred.take(fronts);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        CHECK(door.channel->counts().received_messages == 1);  // the announcement
        CHECK(block.columns.empty());
        CHECK(account.needed_bytes() == expected.bytes());
        CHECK(budget.unforeseen_bytes() == 1);
        budget.release_unforeseen(1);
        detail::submit_again(account);
        wait_for_all_ranks();
    });
    job.wait();
    CHECK(all_members(block) == all_members(expected));
    CHECK(budget.unforeseen_bytes() == (receives ? expected.bytes() : 1));
    CHECK(door.channel->counts().sent_messages + door.channel->counts().received_messages == 2);
}
TEST_CASE_TEMPLATE_APPLY(waits, Scalars);

TEST_CASE("an empty block takes no bytes, and is not deferred") {
    Door door;
    cpu::DelayedColumns<double> block;
    Job job(detail::starpu_engine());
    detail::DeferredUnits deferred(1, job);
    detail::MemoryBudget budget(0, 0);
    detail::UnitAccount account(budget, deferred, {.number = 0, .order = 10}, true);
    pass_block(door, job, block, account, [] {});
    CHECK_NOTHROW(job.wait());
    CHECK(block.empty());
    CHECK(budget.refusals() == 0);
}

TEST_CASE("a block that never fits fails the job of its receiver; it is received and nothing is left") {
    Door door;
    const bool receives = door.channel->rank() == 1;
    cpu::DelayedColumns<double> block;
    if (!receives) fill(block, 30);
    Job job(detail::starpu_engine());
    detail::DeferredUnits deferred(1, job);
    detail::MemoryBudget budget(10, 10);
    detail::UnitAccount account(budget, deferred, {.number = 0, .order = 10}, true);
    account.set_last_try(true);
    pass_block(door, job, block, account, [] {});
    if (receives)
        CHECK_THROWS_AS(job.wait(), MemoryBudgetExceeded);
    else
        CHECK_NOTHROW(job.wait());
    CHECK(door.channel->counts().sent_messages + door.channel->counts().received_messages == 2);
}

TEST_CASE("a block too large for a message is refused with its front") {
    CHECK_NOTHROW(expect_sendable(cpu::most_packed_bytes, 17));
    try {
        expect_sendable(cpu::most_packed_bytes + 1, 17);
        FAIL("not refused");
    } catch (const RuntimeError& error) {
        CHECK(std::string(error.what()).find("front 17") != std::string::npos);
        CHECK(std::string(error.what()).find("1073741825") != std::string::npos);
    }
}

TEST_SUITE_END();
