// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "check.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::gpu {

/// Work recorded from a stream, to be launched at once as often as wanted.
class Graph {
public:
    /// record() puts work on the stream; none of it runs.
    template <class Record>
    Graph(Stream stream, Record record) {
        check(FROND_GPU(StreamBeginCapture)(stream, FROND_GPU(StreamCaptureModeThreadLocal)), "recording");
        FROND_GPU(Graph_t) graph = nullptr;
        try {
            record();
        } catch (...) {
            ignore(FROND_GPU(StreamEndCapture)(stream, &graph));
            if (graph != nullptr) ignore(FROND_GPU(GraphDestroy)(graph));
            throw;
        }
        check(FROND_GPU(StreamEndCapture)(stream, &graph), "recording");
        const auto status = instantiate_graph(&executable_, graph);
        ignore(FROND_GPU(GraphDestroy)(graph));
        check(status, "preparing recorded work");
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() {
        if (!has_lost_device()) ignore(FROND_GPU(GraphExecDestroy)(executable_));
    }

    void launch(Stream stream) const { check(FROND_GPU(GraphLaunch)(executable_, stream), "launching recorded work"); }

private:
    FROND_GPU(GraphExec_t) executable_ = nullptr;
};

}  // namespace frond::gpu
