// SPDX-License-Identifier: BSD-3-Clause
#include "trace/convert_and_write.hpp"

#include "frond/base/error.hpp"
#include "terminal/units.hpp"
#include "trace/read/unfinished_run.hpp"
#include "trace/write_trace.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

std::string text_of_workers(const SessionInfo& session) {
    std::string text = std::to_string(session.cpu_workers) + " CPU";
    if (session.cuda_workers > 0) text += fmt::format(", {} CUDA", session.cuda_workers);
    if (session.hip_workers > 0) text += fmt::format(", {} HIP", session.hip_workers);
    return text;
}

std::string text_of_ranks(const SessionInfo& session) {
    return session.mpi_ranks == 1 ? "" : fmt::format(" on each of {} ranks", session.mpi_ranks);
}

PageTitle title_of(const RunFacts& facts, bool complete) {
    PageTitle title;
    title.matrix = facts.matrix.name;
    title.facts = {{"order", text_of_count(facts.matrix.rows)},
                   {"scalar", facts.matrix.scalar},
                   {"workers", text_of_workers(facts.session) + text_of_ranks(facts.session)},
                   {"scheduler", facts.session.scheduler},
                   {"StarPU", facts.session.starpu_version},
                   {"BLAS", facts.session.blas + " " + facts.session.blas_kernel}};
    if (!facts.machine.empty()) title.facts.emplace_back("simulated on", facts.machine);
    if (!complete) title.facts.emplace_back("run", "ended before its end; tasks after that did nothing");
    return title;
}

}  // namespace

std::string convert_and_write(Recording& recording, const std::string& tool, const RunFacts& facts, bool complete) {
    if (!recording.is_there())
        throw RuntimeError("StarPU has recorded nothing in " + recording.place() +
                           (facts.session.mpi_ranks > 1
                                ? " on some of the ranks; give a folder that all of them see, and "
                                  "make room on its disk"
                                : "; make room on its disk, and trace again"));
    recording.convert(tool);
    const count_t tasks = complete && facts.factor ? facts.factor->work.tasks : 0;
    const std::string text =
        write_trace(recording.place(), title_of(facts, complete), facts.analysis.get(), tasks, recording.folder());
    if (!complete) mark_unfinished(recording.place() + "/tasks.rec");
    recording.publish();
    return text;
}

}  // namespace frond::cli
