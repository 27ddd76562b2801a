// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <queue>
#include <unordered_map>
#include <vector>

namespace frond {

/// The clock of simulated ranks, and what happens on it: acts at points in time, and actors, which are functions that pause
/// and wait as threads do. All of it is one thread, and the same each time. Only builds that simulate have it.
class SimulatedTime {
public:
    using Act = std::function<void()>;

    SimulatedTime();
    SimulatedTime(const SimulatedTime&) = delete;
    SimulatedTime& operator=(const SimulatedTime&) = delete;
    ~SimulatedTime();

    /// Whose run() is being called; null: none.
    static SimulatedTime* running() noexcept;

    double now() const noexcept { return now_; }  // seconds since it began

    /// Acts at that time. Acts of one time come in the order in which they were asked for; a time that is past is now.
    void at(double seconds, Act act);
    /// Begins now. owner: for owner_of_actor().
    void start(Act body, void* owner = nullptr);

    /// Until all has happened. @throws the first exception that left an actor; RuntimeError where actors wait for nothing
    /// that will happen
    void run();

    // Inside an actor:
    void pause(double seconds);
    /// Until wake(place).
    void wait(const void* place);
    void* owner_of_actor() const noexcept;

    void wake(const void* place);
    /// run() ends with this error, whoever still waits.
    void fail(std::exception_ptr error) noexcept;

private:
    struct Actor;
    struct Event {
        double seconds;
        std::uint64_t number;
        Act act;
    };
    struct Later {
        bool operator()(const Event& a, const Event& b) const noexcept {
            return a.seconds != b.seconds ? a.seconds > b.seconds : a.number > b.number;
        }
    };
    static void run_actor();
    void resume(Actor& actor);

    double now_ = 0;
    std::uint64_t events_begun_ = 0;
    std::priority_queue<Event, std::vector<Event>, Later> events_;
    std::vector<std::unique_ptr<Actor>> actors_;
    std::vector<Actor*> resting_;  // whose body has ended
    std::unordered_map<const void*, std::vector<Actor*>> waiting_;
    Actor* current_ = nullptr;
    std::exception_ptr error_;
};

}  // namespace frond
