// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/simulated_time.hpp"

#include <algorithm>
#include <utility>

#include "fiber.hpp"
#include "frond/base/error.hpp"

namespace frond {
namespace {

SimulatedTime* running_time = nullptr;

}  // namespace

struct SimulatedTime::Actor {
    static constexpr std::size_t stack_bytes = std::size_t{1} << 20;

    Fiber fiber{stack_bytes};
    Act body;
    void* owner = nullptr;
};

SimulatedTime::SimulatedTime() = default;
SimulatedTime::~SimulatedTime() = default;

SimulatedTime* SimulatedTime::running() noexcept { return running_time; }

void SimulatedTime::at(double seconds, Act act) {
    events_.push({std::max(seconds, now_), events_begun_++, std::move(act)});
}

void SimulatedTime::start(Act body, void* owner) {
    if (resting_.empty()) {
        resting_.reserve(actors_.size() + 1);
        actors_.push_back(std::make_unique<Actor>());
        resting_.push_back(actors_.back().get());
    }
    Actor& actor = *resting_.back();
    resting_.pop_back();
    actor.body = std::move(body);
    actor.owner = owner;
    at(now_, [this, &actor] {
        actor.fiber.start(run_actor);
        resume(actor);
    });
}

void SimulatedTime::run_actor() {
    SimulatedTime& time = *running_time;
    try {
        time.current_->body();
    } catch (...) {
        time.fail(std::current_exception());
    }
}

void SimulatedTime::fail(std::exception_ptr error) noexcept {
    if (error_ == nullptr) error_ = std::move(error);
}

void SimulatedTime::resume(Actor& actor) {
    current_ = &actor;
    actor.fiber.resume();
    current_ = nullptr;
    if (!actor.fiber.has_ended()) return;
    actor.body = nullptr;
    resting_.push_back(&actor);
}

void SimulatedTime::run() {
    SimulatedTime* const before = std::exchange(running_time, this);
    while (!events_.empty() && error_ == nullptr) {
        const Act act = std::move(const_cast<Event&>(events_.top()).act);
        now_ = events_.top().seconds;
        events_.pop();
        act();
    }
    running_time = before;
    if (error_ != nullptr) std::rethrow_exception(error_);
    if (resting_.size() < actors_.size())
        throw RuntimeError("the simulated ranks wait for each other in vain, after " + std::to_string(now_) +
                           " s; this is an error of Frond");
}

void SimulatedTime::pause(double seconds) {
    Actor& actor = *current_;
    at(now_ + seconds, [this, &actor] { resume(actor); });
    actor.fiber.pause();
}

void SimulatedTime::wait(const void* place) {
    Actor& actor = *current_;
    waiting_[place].push_back(&actor);
    actor.fiber.pause();
}

void* SimulatedTime::owner_of_actor() const noexcept { return current_ == nullptr ? nullptr : current_->owner; }

void SimulatedTime::wake(const void* place) {
    const auto found = waiting_.find(place);
    if (found == waiting_.end()) return;
    const std::vector<Actor*> actors = std::move(found->second);
    waiting_.erase(found);
    for (Actor* actor : actors) at(now_, [this, actor] { resume(*actor); });
}

}  // namespace frond
