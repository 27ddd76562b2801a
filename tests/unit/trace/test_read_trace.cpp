// SPDX-License-Identifier: BSD-3-Clause
// The files of starpu_fxt_tool as records.
#include "frond/base/error.hpp"
#include "system_folder.hpp"
#include "tolerance.hpp"
#include "trace/read/read_trace.hpp"
#include "trace/read/task_name.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace frond::cli;
using frond::test::SystemFolder;

namespace {

constexpr const char* small_tasks = R"(Name: factor_subtree fronts 0-7 level 2
JobId: 1
Priority: -3
Tag: 0
WorkerId: 1
SubmitTime: 100.5
StartTime: 101.000000
EndTime: 103.000000
Footprint: a3f91eaa
GFlop: 0.25
Handles: aa bb
Sizes: 1000 24
MPIRank: -1

Name: _starpu_data_acquire_cb_release
JobId: 3
Priority: 0
DependsOn: 1
DepLabels: task
Tag: 0
Footprint: 0

Control: WontUse
JobId: 3
SubmitOrder: 9

Name: update_tile front 8 tile (3,2) step 1 level 0
JobId: 4
Priority: 7
DependsOn: 3
WorkerId: 0
SubmitTime: 101.5
StartTime: 104.0
EndTime: 106.0
Footprint: 0

Name: update_tile front 8 tile (3,3) step 1 level 0
JobId: 5
WorkerId: 0
StartTime: 106.5
Footprint: 0

)";

constexpr const char* small_paje = R"(%EventDef	PajeDefineContainerType	1
6       W       MS     WritingBack         ".0 .0 .5"
6	update_tile front 8 tile (3,2) step 1 level 0	WS	update_tile front 8 tile (3,2) step 1 level 0	"42.000000 157.000000 143.000000" 
7       0.0 MPIroot      MPIP      0       root
7	1.0	mn0	Mn	p	MEMNODE0
7	1.0	mm0	Mm	mn0	MEMMANAGER0
7	1.0	mn1	Mn	p	MEMNODE1
7	1.0	mm1	Mm	mn1	MEMMANAGER1
7	1.0	t1	T	mn0	T0
7	1.0	w0	W	t1	CPU0
7	1.0	t2	T	mn1	T1
7	1.0	w1	W	t2	CUDA0_1
9	99.0	prog_event	p	"factorization begins"
9	99.5	register	p	aa
10	100.0	w1	WS	"Sl"
10	100.6	w1	WS	"B"
10	100.7	w1	WS	"Sc"
10	100.8	w1	WS	"Fi"
10	101.0	w1	WS	"factor_subtree fronts 0-7 level 2"
20	101.0	w1	WS	"factor_subtree fronts 0-7 level 2"	1024	"V1"	a3f91eaa	0	1	1	-3	0.25	0	0	-1	-1	"-1"
11	102.0	w1	WS	C
12	102.5	w1	WS
10	103.0	w1	WS	"Sl"
13	101.5	mm1	use	2.0
11	101.0	mm1	MS	W
12	101.2	mm1	MS
24	100.8	F	p	4096	mm0	com_7	aa	""	0	0
18	100.9	WSL	p	0	w0	steal_0
19	100.95	F	p	4096	mm1	com_7
9	104.0	unregister	p	aa
9	105.0	prog_event	p	"piece 0 level 3 fronts 56"
9	107.0	prog_event	p	"factorization ends"
)";

/// The tolerance of differences of 0.15 ms or more between times of at most 107 ms, each of which is rounded.
const double tolerance = 107 / 0.15 * rounding_bound<double>(2);

}  // namespace

TEST_CASE("a trace has tasks, arrows, states, copies, memory and phases of its files") {
    SystemFolder folder;
    folder.write("/tasks.rec", small_tasks).write("/paje.trace", small_paje);
    const Trace trace = read_trace(folder.path());

    REQUIRE(trace.tasks.size() == 2);
    const TraceTask& first = trace.tasks[0];
    CHECK(first.job == 1);
    CHECK(first.name == "factor_subtree fronts 0-7 level 2");
    CHECK(trace.workers[static_cast<std::size_t>(first.worker)].name == "CUDA 0_1");
    CHECK(trace.workers[static_cast<std::size_t>(first.worker)].kind == "CUDA");
    CHECK(trace.workers[static_cast<std::size_t>(first.worker)].node == 1);
    CHECK(is_near(first.begin, 0.002, tolerance));  // since the phase began
    CHECK(is_near(first.seconds(), 0.002, tolerance));
    CHECK(is_near(first.submitted, 0.0015, tolerance));
    CHECK(is_near(first.flops, 0.25e9, tolerance));
    CHECK(first.bytes == 1024);
    CHECK(first.priority == -3);
    CHECK(first.footprint == 0xa3f91eaaU);
    CHECK(trace.unfinished == 1);

    // Job 4 waits for job 1 through job 3, which is a node behind the tasks.
    REQUIRE(trace.graph.nodes() == 4);
    const int through = trace.graph.before[static_cast<std::size_t>(trace.graph.first[1])];
    CHECK(through >= 2);
    CHECK(trace.graph.before[static_cast<std::size_t>(trace.graph.first[static_cast<std::size_t>(through)])] == 0);

    REQUIRE(trace.states.size() == 3);  // overhead in two codes is one span; the callback is within the task
    CHECK(trace.states[0].state == StateClass::overhead);
    CHECK(is_near(trace.states[0].begin, 0.0016, tolerance));
    CHECK(is_near(trace.states[0].end, 0.0018, tolerance));
    CHECK(trace.states[1].state == StateClass::transfer);
    CHECK(is_near(trace.states[2].end - trace.states[2].begin, 0.0005, tolerance));

    REQUIRE(trace.transfers.size() == 1);
    CHECK(trace.transfers[0].bytes == 4096);
    CHECK(trace.transfers[0].to == 1);
    CHECK(is_near(trace.transfers[0].end, 0.00195, tolerance));
    REQUIRE(trace.node_states.size() == 1);
    CHECK(trace.node_states[0].what == "WritingBack");
    CHECK(trace.nodes == std::vector<std::string>{"main memory", "memory of CUDA 0"});

    REQUIRE(trace.memory.size() == 3);  // of the handle aa in main memory, and what StarPU says of node 1
    CHECK(trace.memory_of_handles);
    CHECK(trace.memory[0].bytes == 1000);
    CHECK(trace.memory[1].bytes == 2 << 20);
    CHECK(trace.memory[2].bytes == 0);

    REQUIRE(trace.phases.size() == 1);
    CHECK(trace.phases[0].name == "factorization");
    CHECK(is_near(trace.phases[0].end, 0.008, tolerance));
    REQUIRE(trace.notes.size() == 1);
    CHECK(trace.notes[0].text == "piece 0 level 3 fronts 56");
    CHECK(trace.kinds[1].color == 0x2A9D8FU);  // of the file
    CHECK(trace.kinds[0].color != 0);  // by the name
}

TEST_CASE("the trace of two ranks has the workers, memories and messages of both, and one graph") {
    SystemFolder folder;
    folder
        .write("/tasks.rec",
               "Name: factor_subtree fronts 0-7 level 2\nJobId: 0_1\nWorkerId: 0\nStartTime: 101\nEndTime: 103\n"
               "Handles: aa\nSizes: 1000\nMPIRank: 0\n\n"
               "JobId: 0_2\nDependsOn: 0_1\nMPIRank: 0\n\n"
               "JobId: 1_5\nMPIRank: 1\n\n"
               "Name: assemble_tile front 8 tile (0,0) level 0\nJobId: 1_6\nDependsOn: 1_5\nWorkerId: 0\n"
               "StartTime: 105\nEndTime: 106\nHandles: aa\nSizes: 24\nMPIRank: 1\n\n")
        .write("/comms.rec",
               "Src: 0\nDst: 1\nTag: -7\nSendTime: 103.5\nRecvTime: 104.5\nSendJobId: 0_2\nRecvJobId: 1_5\n"
               "Size: 800\nType: PointToPoint\n\n")
        .write("/paje.trace",
               "7\t0.0\t0_p\tP\tMPIroot\t0_program\n7\t1.0\t0_mn0\tMn\t0_p\t0_MEMNODE0\n"
               "7\t1.0\t0_mm0\tMm\t0_mn0\t0_MEMMANAGER0\n7\t1.0\t0_t7\tT\t0_mn0\t0_T0\n"
               "7\t1.0\t0_w0\tW\t0_t7\t0_CPU0\n"
               "9\t99.0\tprog_event\t0_p\t\"factorization begins\"\n"
               "9\t99.5\tregister\t0_p\taa\n9\t107.0\tprog_event\t0_p\t\"factorization ends\"\n"
               "7\t0.0\t1_p\tP\tMPIroot\t1_program\n7\t1.0\t1_mn0\tMn\t1_p\t1_MEMNODE0\n"
               "7\t1.0\t1_mm0\tMm\t1_mn0\t1_MEMMANAGER0\n7\t1.0\t1_t7\tT\t1_mn0\t1_T0\n"
               "7\t1.0\t1_w0\tW\t1_t7\t1_CPU0\n"
               "9\t99.0\tprog_event\t1_p\t\"factorization begins\"\n9\t99.6\tregister\t1_p\taa\n");
    const Trace trace = read_trace(folder.path());

    REQUIRE(trace.workers.size() == 2);
    CHECK(trace.workers[0].name == "CPU 0 of rank 0");
    CHECK(trace.workers[1].name == "CPU 0 of rank 1");
    CHECK(trace.workers[1].kind == "CPU");
    CHECK(trace.nodes == std::vector<std::string>{"main memory of rank 0", "main memory of rank 1"});
    CHECK(trace.workers[1].node == 1);
    REQUIRE(trace.tasks.size() == 2);
    CHECK(trace.tasks[1].worker == 1);

    REQUIRE(trace.transfers.size() == 1);
    CHECK(trace.transfers[0].from == 0);
    CHECK(trace.transfers[0].to == 1);
    CHECK(trace.transfers[0].bytes == 800);
    CHECK(is_near(trace.transfers[0].end - trace.transfers[0].begin, 0.001, tolerance));
    // The second task waits for job 5 of its rank, that for job 2 of the other, and that for the first task.
    const auto waits_for = [&](int node) {
        return trace.graph.before.at(static_cast<std::size_t>(trace.graph.first[static_cast<std::size_t>(node)]));
    };
    CHECK(waits_for(waits_for(waits_for(1))) == 0);

    CHECK(trace.phases.size() == 1);  // that of rank 0
    double most_0 = 0, most_1 = 0;  // one address, two handles
    for (const MemorySample& sample : trace.memory)
        (sample.node == 0 ? most_0 : most_1) = std::max(sample.node == 0 ? most_0 : most_1, sample.bytes);
    CHECK(most_0 == 1000);
    CHECK(most_1 == 24);
}

TEST_CASE("a trace without phases is one") {
    SystemFolder folder;
    folder.write("/tasks.rec", small_tasks).write("/paje.trace", "");
    const Trace trace = read_trace(folder.path());
    REQUIRE(trace.phases.size() == 1);
    CHECK(trace.phases[0].name == "all tasks");
    CHECK(trace.workers[0].name == "worker 0");
}

TEST_CASE("what is no trace is refused with file and line") {
    SystemFolder folder;
    const auto message = [&] {
        try {
            static_cast<void>(read_trace(folder.path()));
        } catch (const frond::InvalidArgument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message().find("tasks.rec: cannot be read") != std::string::npos);
    folder.write("/tasks.rec", "JobId: 1\nStartTime: soon\n").write("/paje.trace", "");
    CHECK(message().find("tasks.rec: line 2: 'soon' is not a number") != std::string::npos);
    folder.write("/tasks.rec", "JobId: 1\nDependsOn: x\n");
    CHECK(message().find("line 2: 'x' is not the number of a job") != std::string::npos);
    folder.write("/tasks.rec", "nonsense\n");
    CHECK(message().find("line 1: 'nonsense'") != std::string::npos);
    folder.write("/tasks.rec", "JobId: 1\n\n");
    CHECK(message().find("no task that ran") != std::string::npos);
    folder.write("/tasks.rec", small_tasks).write("/paje.trace", "7\t1.0\tmm0\tMm\tmn0\tM\n13\tlate\tmm0\tuse\t1.0\n");
    CHECK(message().find("paje.trace: line 2: 'late' is not a time") != std::string::npos);
}

TEST_CASE("names of tasks say where the task belongs") {
    const TaskPlace tile = place_in_name("update_tile front 12 tile (3,2) step 1 level 4");
    CHECK(tile.first_front == 12);
    CHECK(tile.last_front == 12);
    CHECK(tile.tile_row == 3);
    CHECK(tile.tile_column == 2);
    CHECK(tile.step == 1);
    CHECK(tile.level == 4);
    CHECK(tile.iteration == -1);
    const TaskPlace piece = place_in_name("solve_piece forward piece 3 fronts 7-90 level 2 rhs 4 iteration 1");
    CHECK(piece.piece == 3);
    CHECK(piece.first_front == 7);
    CHECK(piece.last_front == 90);
    CHECK(piece.rhs == 4);
    CHECK(piece.iteration == 1);
    CHECK(place_in_name("host_chunk chunk 8").chunk == 8);
    CHECK(place_in_name("host_chunk").first_front == -1);
}

TEST_CASE("names are given back by their pattern and numbers") {
    for (const std::string name : {"update_tile front 12 tile (3,2) step 1 level 4", "a 007 1234567890 5", "", "9",
                                   "1 2 3 4 5 6 7 8 9 10 11 12", "no number"}) {
        CAPTURE(name);
        const NamePattern pattern = pattern_of_name(name);
        std::string back;
        std::size_t next = 0;
        for (const char c : pattern.text) {
            if (c == '#')
                back += std::to_string(pattern.numbers.at(next++));
            else
                back += c;
        }
        CHECK(back == name);
        CHECK(next == pattern.numbers.size());
    }
    CHECK(pattern_of_name("front 12 tile (3,2)").text == "front # tile (#,#)");
}
