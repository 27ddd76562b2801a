// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "frond/base/types.hpp"
#include "simulated/card_copies.hpp"

namespace frond::detail {

struct OrderedData;

/// A task, or what one rank has to do with a message.
struct Step {
    struct Use {
        OrderedData* data = nullptr;
        bool writes = false;
    };
    std::function<void()> begin;  // when all steps before it have ended
    double path_seconds = 0;  // of the longest chain of steps before it, as far as these have ended
    index_t awaited = 1;  // steps, and its submission
    bool has_ended = false;
    std::vector<std::shared_ptr<Step>> next;
    std::vector<Use> uses;
};

/// What steps read and write: a step that reads follows the last one that writes, and one that writes those that read, too.
struct OrderedData {
    std::shared_ptr<Step> writer;
    std::vector<std::shared_ptr<Step>> readers;  // since
    double path_written = 0, path_read = 0;  // of steps that have ended
    count_t uses = 0;  // steps that have not ended
    std::unique_ptr<CardCopies> copies;  // null: they were on no card
    std::function<void()> last_use;  // done when there are none; null: more may come
};

/// Steps by the data that they use, in the order of their submission.
class StepGraph {
public:
    void use(const std::shared_ptr<Step>& step, OrderedData& data, bool writes);
    /// It begins when what it waits for has ended, now at the earliest.
    void submit(Step& step) { has_less_to_wait_for(step); }
    /// path_seconds: with the step.
    void end(Step& step, double path_seconds);

    OrderedData& add_data();
    /// No later step uses them: what is done after the last one has ended.
    void release(OrderedData& data, std::function<void()> last_use);

    double longest_path_seconds() const noexcept { return longest_; }

private:
    static void follow(const std::shared_ptr<Step>& step, const std::shared_ptr<Step>& before);
    static void has_less_to_wait_for(Step& step);
    void forget_if_unused(OrderedData& data);

    std::unordered_map<OrderedData*, std::unique_ptr<OrderedData>> data_;
    double longest_ = 0;
};

}  // namespace frond::detail
