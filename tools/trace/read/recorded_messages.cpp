// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/recorded_jobs.hpp"

#include "trace/read/trace_lines.hpp"
#include "trace/read/trace_lines.hpp"

#include <algorithm>
#include <filesystem>

namespace frond::cli {
namespace {

constexpr double seconds_of_message_unit = 1e-3;  // StarPU writes milliseconds

class MessageReader {
public:
    explicit MessageReader(const std::string& file) : lines_(file) {}

    std::vector<RecordedMessage> read() {
        while (lines_.next()) {
            const std::string_view line = lines_.line();
            if (line.empty()) {
                keep();
                continue;
            }
            const std::size_t colon = line.find(':');
            if (colon == std::string_view::npos) lines_.refuse(line, "a line \"Name: value\"");
            take(line.substr(0, colon), line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size())));
        }
        keep();
        return std::move(messages_);
    }

private:
    void keep() {
        if (has_source_) messages_.push_back(message_);
        message_ = {};
        has_source_ = false;
    }

    void take(std::string_view name, std::string_view value) {
        if (name == "Src") set(value, message_.source), has_source_ = true;
        if (name == "Dst") set(value, message_.destination);
        if (name == "Size") set(value, message_.bytes);
        if (name == "SendTime") set(value, message_.sent), message_.sent *= seconds_of_message_unit;
        if (name == "RecvTime") set(value, message_.received), message_.received *= seconds_of_message_unit;
        if (name == "SendJobId") message_.sent_after = job_number(value);
        if (name == "RecvJobId") message_.received_before = job_number(value);
    }

    template <class Number>
    void set(std::string_view value, Number& number) const {
        if (!read_number(value, number)) lines_.refuse(value, "a number");
    }

    TraceLines lines_;
    std::vector<RecordedMessage> messages_;
    RecordedMessage message_;
    bool has_source_ = false;
};

}  // namespace

std::vector<RecordedMessage> read_recorded_messages(const std::string& file) {
    if (!std::filesystem::exists(file)) return {};
    return MessageReader(file).read();
}

}  // namespace frond::cli
