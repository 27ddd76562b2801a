// SPDX-License-Identifier: BSD-3-Clause
#include "simulated/step_graph.hpp"

#include <algorithm>
#include <utility>

namespace frond::detail {

void StepGraph::follow(const std::shared_ptr<Step>& step, const std::shared_ptr<Step>& before) {
    if (before == nullptr || before->has_ended || before == step) return;
    before->next.push_back(step);
    ++step->awaited;
}

void StepGraph::has_less_to_wait_for(Step& step) {
    if (--step.awaited == 0) step.begin();
}

void StepGraph::use(const std::shared_ptr<Step>& step, OrderedData& data, bool writes) {
    follow(step, data.writer);
    step->path_seconds = std::max(step->path_seconds, data.path_written);
    if (writes) {
        for (const std::shared_ptr<Step>& reader : data.readers) follow(step, reader);
        step->path_seconds = std::max(step->path_seconds, data.path_read);
        data.readers.clear();
        data.writer = step;
    } else {
        data.readers.push_back(step);
    }
    ++data.uses;
    step->uses.push_back({&data, writes});
}

void StepGraph::end(Step& step, double path_seconds) {
    step.has_ended = true;
    longest_ = std::max(longest_, path_seconds);
    for (const Step::Use& use : step.uses) {
        double& path = use.writes ? use.data->path_written : use.data->path_read;
        path = std::max(path, path_seconds);
        --use.data->uses;
        forget_if_unused(*use.data);
    }
    step.uses.clear();
    step.begin = nullptr;
    for (const std::shared_ptr<Step>& next : std::exchange(step.next, {})) {
        next->path_seconds = std::max(next->path_seconds, path_seconds);
        has_less_to_wait_for(*next);
    }
}

OrderedData& StepGraph::add_data() {
    auto data = std::make_unique<OrderedData>();
    OrderedData& added = *data;
    data_.emplace(&added, std::move(data));
    return added;
}

void StepGraph::release(OrderedData& data, std::function<void()> last_use) {
    data.last_use = std::move(last_use);
    forget_if_unused(data);
}

void StepGraph::forget_if_unused(OrderedData& data) {
    if (data.uses > 0 || data.last_use == nullptr) return;
    const std::function<void()> last_use = std::move(data.last_use);
    data_.erase(&data);
    last_use();
}

}  // namespace frond::detail
