// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/paje.hpp"

#include "trace/read/trace_lines.hpp"
#include "trace/read/paje_parts.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace frond::cli {
namespace {

constexpr double seconds_of_paje = 1e-3;

/// Turns the lines into records.
class PajeReader {
public:
    explicit PajeReader(const std::string& file) : event_(file), containers_(records_), spans_(records_) {}

    PajeRecords read() {
        while (event_.next()) take(event_.line());
        for (const auto& [name, open] : open_phases_)
            records_.phases.push_back({name + not_ended, open.begin, records_.last});
        return std::move(records_);
    }

private:
    void take(std::string_view line) {
        if (line.empty() || line[0] == '%') return;
        if (line[0] == '6') return take_name(line);
        if (event_.split(line).size() < 3) return;
        const std::string_view event = word(0);
        if (event == "7") containers_.add(event_);
        if (event == "9") take_note();
        if (event == "10" || event == "11" || event == "12" || event == "20") take_state(event);
        if (event == "13") take_variable();
        if (event == "18" || event == "23" || event == "24") begin_link();
        if (event == "19") end_link();
    }

    std::string_view word(std::size_t i) const { return event_.word(i); }

    double time() {
        double milliseconds = 0;
        if (!read_number(word(1), milliseconds)) event_.refuse(word(1), "a time");
        records_.last = std::max(records_.last, milliseconds * seconds_of_paje);
        return milliseconds * seconds_of_paje;
    }

    /// "6  alias  type  name  color": of a kind of task, or of a state of a memory node.
    void take_name(std::string_view line) {
        const std::size_t task = line.find("\tWS\t"), first = line.find('\t');
        const std::size_t close = line.rfind('"');
        if (task != std::string_view::npos && first < task && close != std::string_view::npos) {
            const std::string_view name = line.substr(first + 1, task - first - 1);
            const std::size_t open = line.rfind('"', close - 1);
            return take_color(name.substr(0, name.find(' ')), line.substr(open + 1, close - open - 1));
        }
        const std::vector<std::string_view>& words = event_.split(line);
        if (words.size() > 3 && words[2] == "MS") spans_.name_node_state(words[1], words[3]);
    }

    void take_color(std::string_view kind, std::string_view numbers) {
        if (records_.colors.find(kind) != records_.colors.end()) return;
        const std::vector<std::string_view>& parts = event_.split(numbers);
        if (parts.size() != 3) return;
        std::uint32_t color = 0;
        for (const std::string_view number : parts) {
            double part = 0;
            if (!read_number(number, part) || part < 0 || part > 255) return;
            color = color << 8 | static_cast<std::uint32_t>(part);
        }
        records_.colors[std::string(kind)] = color;
    }

    void take_state(std::string_view event) {
        const std::string container(word(2));
        const auto worker = containers_.worker(container);
        const auto node = containers_.node(container);
        if (worker ? word(3) != "WS" : !node || word(3) != "MS") return;
        const double now = time();
        StateStack& stack = spans_.stack(container);
        const StateStack::Held held = event == "12"   ? stack.pop(now)
                                      : event == "11" ? stack.push(now, word(4))
                                                      : stack.set(now, word(4));
        if (now <= held.begin || held.state.empty()) return;
        if (worker)
            spans_.add_span(*worker, held, now);
        else
            spans_.add_node_span(*node, held, now);
    }

    void take_variable() {
        const auto node = containers_.node(std::string(word(2)));
        if (!node || word(3) != "use") return;
        double mebibytes = 0;
        if (!read_number(word(4), mebibytes)) event_.refuse(word(4), "a number");
        records_.memory.push_back({*node, time(), mebibytes * (1 << 20)});
    }

    void begin_link() {
        if (word(2) == "WSL") return;
        const auto from = containers_.node(std::string(word(5)));
        if (!from) return;
        TraceTransfer transfer;
        transfer.begin = time();
        transfer.from = *from;
        if (!read_number(word(4), transfer.bytes)) event_.refuse(word(4), "a number of bytes");
        open_links_[std::string(word(6))] = transfer;
    }

    void end_link() {
        const auto open = open_links_.find(std::string(word(6)));
        if (open == open_links_.end()) return;
        const auto to = containers_.node(std::string(word(5)));
        if (!to) return;
        TraceTransfer transfer = open->second;
        open_links_.erase(open);
        transfer.to = *to;
        transfer.end = time();
        if (transfer.end > transfer.begin) records_.transfers.push_back(transfer);
    }

    void take_note() {
        const std::string_view type = word(2);
        if (type == "register" || type == "unregister") {
            std::uint64_t handle = 0;
            if (!read_hexadecimal(word(4), handle)) event_.refuse(word(4), "the address of a handle");
            std::string_view program = word(3);
            const int rank = take_rank(program);
            records_.handles.push_back({time(), ranked_handle(rank, handle), rank, type == "register"});
        }
        if (type != "prog_event" || event_.words() < 5) return;
        if (std::string_view program = word(3); take_rank(program) > 0) return;
        take_program_event(time(), word(4));
    }

    void take_program_event(double now, std::string_view text) {
        constexpr std::string_view begins = " begins", ends = " ends";
        if (text.ends_with(begins)) {
            const std::string name(text.substr(0, text.size() - begins.size()));
            open_phases_[name] = {name, now, now};
        } else if (text.ends_with(ends)) {
            const auto open = open_phases_.find(std::string(text.substr(0, text.size() - ends.size())));
            if (open == open_phases_.end()) return;
            open->second.end = now;
            records_.phases.push_back(open->second);
            open_phases_.erase(open);
        } else if (!text.starts_with("starpu_") && !text.starts_with("end of MPI_Barrier")) {
            records_.notes.push_back({now, std::string(text)});
        }
    }

    PajeEvent event_;
    PajeRecords records_;
    PajeContainers containers_;
    PajeSpans spans_;
    std::unordered_map<std::string, TraceTransfer> open_links_;
    std::map<std::string, TracePhase> open_phases_;
};

}  // namespace

PajeRecords read_paje(const std::string& file) { return PajeReader(file).read(); }

}  // namespace frond::cli
