// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/recorded_jobs.hpp"

#include "frond/base/error.hpp"
#include "trace/read/trace_lines.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace frond::cli {
namespace {

constexpr std::string_view mark = "# frond: the run ended before its end; tasks after that did nothing\n";

}  // namespace

void mark_unfinished(const std::string& file) {
    std::ofstream stream(file, std::ios::binary | std::ios::app);
    if (!(stream << '\n' << mark) || !stream.flush())
        throw RuntimeError(file + ": it cannot grow; make room on its disk");
}

bool is_unfinished(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream.seekg(-static_cast<std::streamoff>(mark.size()), std::ios::end)) return false;
    std::ostringstream end;
    end << stream.rdbuf();
    return end.str() == mark;
}

namespace {

constexpr double seconds_of_unit = 1e-3;  // StarPU writes milliseconds

/// Fills in one job, line by line.
class JobReader {
public:
    explicit JobReader(const TraceLines& lines) : lines_(lines) {}

    void take(std::string_view name, std::string_view value) {
        if (name == "Name") {
            job_.task.name = value;
        } else if (name == "Model") {
            if (job_.task.name.empty()) job_.task.name = value;
        } else if (name == "JobId") {
            job_.task.job = job_number(value);
            if (job_.task.job < 0) lines_.refuse(value, "the number of a job");
        } else if (name == "DependsOn" || name == "Handles" || name == "Sizes" || name == "Modes") {
            take_list(name, value);
        } else {
            take_number(name, value);
        }
    }

    /// The job, once it is complete.
    RecordedJob release() {
        RecordedJob job = std::move(job_);
        for (RecordedAccess& access : job.accesses) {
            job.task.bytes += access.bytes;
            access.handle = ranked_handle(job.rank, access.handle);
        }
        if (job.worker >= 0) job.worker = ranked_number(job.rank, job.worker);
        job.ended = job.worker >= 0 && has_begin_ && has_end_;
        job_ = {};
        has_begin_ = has_end_ = false;
        return job;
    }

    bool is_empty() const { return job_.task.job < 0; }

private:
    void take_number(std::string_view name, std::string_view value) {
        if (name == "WorkerId") set(value, job_.worker);
        if (name == "MPIRank") set_rank(value);
        if (name == "MemoryNode") set(value, job_.memory_node);
        if (name == "Priority") set(value, job_.task.priority);
        if (name == "SubmitTime") set_seconds(value, job_.task.submitted);
        if (name == "StartTime") has_begin_ = set_seconds(value, job_.task.begin);
        if (name == "EndTime") has_end_ = set_seconds(value, job_.task.end);
        if (name == "GFlop") {
            set(value, job_.task.flops);
            job_.task.flops *= 1e9;
        }
        if (name == "Footprint" && !read_hexadecimal(value, job_.task.footprint))
            lines_.refuse(value, "a hexadecimal number");
    }

    void take_list(std::string_view name, std::string_view value) {
        split_words(value, words_);
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if (name == "DependsOn") {
                job_.depends_on.push_back(job_number(words_[i]));
                if (job_.depends_on.back() < 0) lines_.refuse(words_[i], "the number of a job");
                continue;
            }
            if (i >= job_.accesses.size()) job_.accesses.resize(i + 1);
            if (name == "Sizes") set(words_[i], job_.accesses[i].bytes);
            if (name == "Modes") take_mode(words_[i], job_.accesses[i]);
            if (name == "Handles" && !read_hexadecimal(words_[i], job_.accesses[i].handle))
                lines_.refuse(words_[i], "the address of a handle");
        }
    }

    /// Other letters say how.
    static void take_mode(std::string_view letters, RecordedAccess& access) {
        access.reads = letters.find('R') != std::string_view::npos;
        access.writes = letters.find('W') != std::string_view::npos;
    }

    template <class Number>
    void set(std::string_view value, Number& number) const {
        if (!read_number(value, number)) lines_.refuse(value, "a number");
    }

    /// -1 without MPI.
    void set_rank(std::string_view value) {
        set(value, job_.rank);
        job_.rank = std::max(job_.rank, 0);
    }

    bool set_seconds(std::string_view value, double& seconds) const {
        set(value, seconds);
        seconds *= seconds_of_unit;
        return true;
    }

    const TraceLines& lines_;
    RecordedJob job_;
    bool has_begin_ = false, has_end_ = false;
    std::vector<std::string_view> words_;
};

}  // namespace

std::vector<RecordedJob> read_recorded_jobs(const std::string& file) {
    TraceLines lines(file);
    JobReader reader(lines);
    std::vector<RecordedJob> jobs;
    const auto keep = [&] {
        if (!reader.is_empty()) jobs.push_back(reader.release());
    };
    bool is_control = false;  // a block that is no job
    while (lines.next()) {
        const std::string_view line = lines.line();
        if (line.empty()) {
            is_control ? static_cast<void>(reader.release()) : keep();
            is_control = false;
            continue;
        }
        if (line.front() == comment_of_records) continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) lines.refuse(line, "a line \"Name: value\"");
        const std::string_view name = line.substr(0, colon);
        const std::size_t value = std::min(line.find_first_not_of(' ', colon + 1), line.size());
        is_control = is_control || name == "Control";
        if (!is_control) reader.take(name, line.substr(value));
    }
    keep();
    return jobs;
}

}  // namespace frond::cli
