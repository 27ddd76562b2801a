// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/paje.hpp"

#include "trace/read/fields.hpp"
#include "trace/read/paje_states.hpp"
#include "trace/read/trace_lines.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_map>

namespace frond::cli {
namespace {

constexpr double seconds_of_paje = 1e-3;

bool is_one_of(std::string_view word, std::string_view blank_separated) {
    const std::string padded = ' ' + std::string(word) + ' ';
    return blank_separated.find(padded) != std::string_view::npos;
}

/// Nothing for a task, idle and asleep.
std::optional<StateClass> class_of(std::string_view state) {
    if (is_one_of(state, " Fi Po ")) return StateClass::transfer;
    if (is_one_of(state, " Sc B C Su Bu Th Ps U H ")) return StateClass::overhead;
    return std::nullopt;
}

/// "CUDA0_1" as "CUDA 0_1"; its kind is "CUDA". Of several ranks "1_CPU0" as "CPU 0 of rank 1".
TraceWorker worker_named(std::string name, bool several_ranks) {
    std::string_view rest = name;
    const int rank = take_rank(rest);
    name = rest;
    std::size_t letters = 0;
    while (letters < name.size() && std::isalpha(static_cast<unsigned char>(name[letters])) != 0) ++letters;
    const std::string kind = name.substr(0, letters);
    if (letters > 0 && letters < name.size() && name[letters] != ' ') name.insert(letters, " ");
    return {several_ranks ? name + " of rank " + std::to_string(rank) : name, kind, 0};
}

/// Turns the lines into records; the number of the event comes first in each.
class PajeReader {
public:
    explicit PajeReader(const std::string& file) : lines_(file) {}

    PajeRecords read() {
        while (lines_.next()) take(lines_.line());
        for (const auto& [name, open] : open_phases_)
            records_.phases.push_back({name + not_ended, open.begin, records_.last});
        return std::move(records_);
    }

private:
    void take(std::string_view line) {
        if (line.empty() || line[0] == '%') return;
        if (line[0] == '6') return take_name(line);
        split_words(line, words_);
        if (words_.size() < 3) return;
        const std::string_view event = words_[0];
        if (event == "7") take_container();
        if (event == "9") take_note();
        if (event == "10" || event == "11" || event == "12" || event == "20") take_state(event);
        if (event == "13") take_variable();
        if (event == "18" || event == "23" || event == "24") begin_link();
        if (event == "19") end_link();
    }

    double time() {
        double milliseconds = 0;
        if (!read_number(words_[1], milliseconds)) lines_.refuse(words_[1], "a time");
        records_.last = std::max(records_.last, milliseconds * seconds_of_paje);
        return milliseconds * seconds_of_paje;
    }

    std::string_view word(std::size_t i) const {
        if (i >= words_.size()) lines_.refuse(lines_.line(), "a whole event");
        return words_[i];
    }

    /// The number at the end of "w12", behind the letters, and the rank of "3_w12".
    int number_of(std::string_view alias) const {
        std::string_view name = alias;
        const int rank = take_rank(name);
        const std::size_t digits = name.find_last_not_of("0123456789") + 1;
        int number = 0;
        if (!read_number(name.substr(digits), number)) lines_.refuse(alias, "the name of a container");
        return ranked_number(rank, number);
    }

    /// The place of a memory node among those of all ranks.
    int node_place(int number) {
        const auto known = std::find(records_.nodes.begin(), records_.nodes.end(), number);
        const auto place = static_cast<int>(known - records_.nodes.begin());
        if (known == records_.nodes.end()) records_.nodes.push_back(number);
        return place;
    }

    void take_container() {
        const std::string_view type = word(3);
        if (type == "Mm") {
            node_of_[std::string(word(2))] = node_place(number_of(word(2)));
        } else if (type == "P") {
            records_.several_ranks = records_.several_ranks || word(2) != "p";
        } else if (type == "T") {
            parent_of_thread_[std::string(word(2))] = node_place(number_of(word(4)));
        } else if (type == "W") {
            std::string name(word(5));
            for (std::size_t i = 6; i < words_.size(); ++i) name.append(" ").append(words_[i]);
            const int number = number_of(word(2));
            worker_of_[std::string(word(2))] = number;
            TraceWorker& worker = records_.workers[number] = worker_named(name, records_.several_ranks);
            if (const auto node = parent_of_thread_.find(std::string(word(4))); node != parent_of_thread_.end())
                worker.node = node->second;
        }
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
        split_words(line, words_);
        if (words_.size() > 3 && words_[2] == "MS") node_state_names_[std::string(words_[1])] = words_[3];
    }

    void take_color(std::string_view kind, std::string_view numbers) {
        if (records_.colors.find(kind) != records_.colors.end()) return;
        split_words(numbers, words_);
        if (words_.size() != 3) return;
        std::uint32_t color = 0;
        for (const std::string_view word : words_) {
            double part = 0;
            if (!read_number(word, part) || part < 0 || part > 255) return;
            color = color << 8 | static_cast<std::uint32_t>(part);
        }
        records_.colors[std::string(kind)] = color;
    }

    void take_state(std::string_view event) {
        const std::string container(word(2));
        const auto worker = worker_of_.find(container);
        const auto node = node_of_.find(container);
        if (worker == worker_of_.end() && (node == node_of_.end() || word(3) != "MS")) return;
        if (worker != worker_of_.end() && word(3) != "WS") return;
        const double now = time();
        StateStack& stack = stacks_[container];
        const StateStack::Held held = event == "12"   ? stack.pop(now)
                                      : event == "11" ? stack.push(now, word(4))
                                                      : stack.set(now, word(4));
        if (now <= held.begin || held.state.empty()) return;
        if (worker != worker_of_.end())
            add_span(worker->second, held, now);
        else if (const auto named = node_state_names_.find(held.state); held.state != "No")
            records_.node_states.push_back(
                {node->second, named == node_state_names_.end() ? held.state : named->second, held.begin, now});
    }

    /// Joined with the span before where nothing is between them.
    void add_span(int worker, const StateStack::Held& held, double end) {
        const std::optional<StateClass> state = class_of(held.state);
        if (!state) return;
        const auto before = last_span_.find(worker);
        if (before != last_span_.end()) {
            WorkerSpan& span = records_.states[before->second];
            if (span.state == *state && span.end == held.begin) {
                span.end = end;
                return;
            }
        }
        last_span_[worker] = records_.states.size();
        records_.states.push_back({worker, *state, held.begin, end});
    }

    void take_variable() {
        const auto node = node_of_.find(std::string(word(2)));
        if (node == node_of_.end() || word(3) != "use") return;
        double mebibytes = 0;
        if (!read_number(word(4), mebibytes)) lines_.refuse(word(4), "a number");
        records_.memory.push_back({node->second, time(), mebibytes * (1 << 20)});
    }

    void begin_link() {
        if (word(2) == "WSL" || !node_of_.contains(std::string(word(5)))) return;
        TraceTransfer transfer;
        transfer.begin = time();
        transfer.from = node_of_[std::string(word(5))];
        if (!read_number(word(4), transfer.bytes)) lines_.refuse(word(4), "a number of bytes");
        open_links_[std::string(word(6))] = transfer;
    }

    void end_link() {
        const auto open = open_links_.find(std::string(word(6)));
        if (open == open_links_.end() || !node_of_.contains(std::string(word(5)))) return;
        TraceTransfer transfer = open->second;
        open_links_.erase(open);
        transfer.to = node_of_[std::string(word(5))];
        transfer.end = time();
        if (transfer.end > transfer.begin) records_.transfers.push_back(transfer);
    }

    void take_note() {
        const std::string_view type = word(2);
        if (type == "register" || type == "unregister") {
            std::uint64_t handle = 0;
            if (!read_hexadecimal(word(4), handle)) lines_.refuse(word(4), "the address of a handle");
            std::string_view program = word(3);
            const int rank = take_rank(program);
            records_.handles.push_back({time(), ranked_handle(rank, handle), rank, type == "register"});
        }
        if (type != "prog_event" || words_.size() < 5) return;
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

    TraceLines lines_;
    PajeRecords records_;
    std::vector<std::string_view> words_;
    std::unordered_map<std::string, int> worker_of_, node_of_, parent_of_thread_;
    std::unordered_map<std::string, std::string> node_state_names_;
    std::unordered_map<std::string, StateStack> stacks_;
    std::unordered_map<int, std::size_t> last_span_;
    std::unordered_map<std::string, TraceTransfer> open_links_;
    std::map<std::string, TracePhase> open_phases_;
};

}  // namespace

PajeRecords read_paje(const std::string& file) { return PajeReader(file).read(); }

}  // namespace frond::cli
