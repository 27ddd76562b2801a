// SPDX-License-Identifier: BSD-3-Clause
// Locks and conditions of SimGrid's C interface, which StarPU calls: the program that simulates has its own, and the
// linker finds those first. SimGrid's change to another thread at every call, also where a lock is free, which was most
// of a simulation's time. Its threads are turns of one thread, and a turn ends only where SimGrid is called. So a flag is
// a lock here, and only who has to wait, or lets somebody go on, calls SimGrid.
#include <simgrid/cond.h>
#include <simgrid/mutex.h>
#include <simgrid/semaphore.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace {

struct TurnLock;

/// A thread that waits; it lies in that thread's stack.
struct Waiter {
    sg_sem_t turn = nullptr;  // 1 once it may go on
    TurnLock* lock = nullptr;  // that it has then
    Waiter* next = nullptr;
};

/// In the order in which they came.
class Waiters {
public:
    bool empty() const { return first_ == nullptr; }

    void push(Waiter& waiter) {
        waiter.next = nullptr;
        *(empty() ? &first_ : &last_->next) = &waiter;
        last_ = &waiter;
    }
    Waiter& pop() { return *std::exchange(first_, first_->next); }

    /// False: it is not there.
    bool take_out(const Waiter& waiter) {
        Waiter* before = nullptr;
        for (Waiter* w = first_; w != nullptr; before = std::exchange(w, w->next)) {
            if (w != &waiter) continue;
            *(before == nullptr ? &first_ : &before->next) = w->next;
            if (last_ == w) last_ = before;
            return true;
        }
        return false;
    }

private:
    Waiter *first_ = nullptr, *last_ = nullptr;
};

struct TurnLock {
    bool is_taken = false;
    Waiters waiters;
};

struct TurnCondition {
    Waiters waiters;
};

/// Semaphores of waiters that went on, each 0 again.
std::vector<sg_sem_t>& spare_turns() {
    static std::vector<sg_sem_t>& spare = *new std::vector<sg_sem_t>;
    return spare;
}

Waiter waiter_for(sg_mutex_t mutex) {
    auto* const lock = reinterpret_cast<TurnLock*>(mutex);
    std::vector<sg_sem_t>& spare = spare_turns();
    if (spare.empty()) return {sg_sem_init(0), lock, nullptr};
    const sg_sem_t turn = spare.back();
    spare.pop_back();
    return {turn, lock, nullptr};
}

void wait_for_turn(const Waiter& waiter) {
    sg_sem_acquire(waiter.turn);
    spare_turns().push_back(waiter.turn);
}

/// What it waited for has happened; now it needs its lock.
void give_lock(Waiter& waiter) {
    TurnLock& lock = *waiter.lock;
    if (std::exchange(lock.is_taken, true))
        lock.waiters.push(waiter);
    else
        sg_sem_release(waiter.turn);
}

TurnLock& lock_of(sg_mutex_t mutex) { return *reinterpret_cast<TurnLock*>(mutex); }
Waiters& waiters_of(sg_cond_t condition) { return reinterpret_cast<TurnCondition*>(condition)->waiters; }

}  // namespace

sg_mutex_t sg_mutex_init() { return reinterpret_cast<sg_mutex_t>(std::make_unique<TurnLock>().release()); }

void sg_mutex_destroy(const_sg_mutex_t mutex) {
    static_cast<void>(std::unique_ptr<const TurnLock>(reinterpret_cast<const TurnLock*>(mutex)));
}

int sg_mutex_try_lock(sg_mutex_t mutex) { return std::exchange(lock_of(mutex).is_taken, true) ? 0 : 1; }

void sg_mutex_lock(sg_mutex_t mutex) {
    if (sg_mutex_try_lock(mutex) != 0) return;
    Waiter self = waiter_for(mutex);
    lock_of(mutex).waiters.push(self);
    wait_for_turn(self);
}

/// The lock stays taken where somebody waits: it is the first waiter's then.
void sg_mutex_unlock(sg_mutex_t mutex) {
    TurnLock& lock = lock_of(mutex);
    if (lock.waiters.empty())
        lock.is_taken = false;
    else
        sg_sem_release(lock.waiters.pop().turn);
}

sg_cond_t sg_cond_init() { return reinterpret_cast<sg_cond_t>(std::make_unique<TurnCondition>().release()); }

void sg_cond_destroy(const_sg_cond_t condition) {
    static_cast<void>(std::unique_ptr<const TurnCondition>(reinterpret_cast<const TurnCondition*>(condition)));
}

void sg_cond_wait(sg_cond_t condition, sg_mutex_t mutex) {
    Waiter self = waiter_for(mutex);
    waiters_of(condition).push(self);
    sg_mutex_unlock(mutex);
    wait_for_turn(self);
}

/// 1: nobody notified it in the time.
int sg_cond_wait_for(sg_cond_t condition, sg_mutex_t mutex, double delay) {
    Waiter self = waiter_for(mutex);
    waiters_of(condition).push(self);
    sg_mutex_unlock(mutex);
    const bool is_late = sg_sem_acquire_timeout(self.turn, std::max(delay, 0.0)) != 0;
    if (is_late && !waiters_of(condition).take_out(self)) {  // notified meanwhile: the lock comes
        wait_for_turn(self);
        return 0;
    }
    spare_turns().push_back(self.turn);
    if (is_late) sg_mutex_lock(mutex);
    return is_late ? 1 : 0;
}

void sg_cond_notify_one(sg_cond_t condition) {
    if (!waiters_of(condition).empty()) give_lock(waiters_of(condition).pop());
}

/// Wakes all that wait now, not those that begin to wait meanwhile.
void sg_cond_notify_all(sg_cond_t condition) {
    Waiters waiters = std::exchange(waiters_of(condition), {});
    while (!waiters.empty()) give_lock(waiters.pop());
}
