// SPDX-License-Identifier: BSD-3-Clause
#include "plan_runner.hpp"

#include "frond/base/error.hpp"
#include "engine/insert_task.hpp"
#include "messages/job_messages.hpp"

#include <cstring>

namespace frond::test {
namespace {

using detail::DataHandle;

/// The contents of a message, from what names it: the same for all that are sent on.
unsigned char expected_byte(std::uint64_t name, std::size_t i) {
    std::uint64_t x = (name + i / 8 + 1) * 0x9E3779B97F4A7C15U;
    x ^= x >> 29;
    return static_cast<unsigned char>(x >> (8 * (i % 8)));
}

bool is_sent_on(MessageKind kind) {
    return kind == MessageKind::diagonal || kind == MessageKind::pivot_record || kind == MessageKind::lower_tile ||
           kind == MessageKind::upper_tile || kind == MessageKind::accepted_panel || kind == MessageKind::second_pass;
}

/// Tile, panel or child; of what is not sent on also between which ranks.
using Key = std::tuple<MessageKind, index_t, index_t, index_t, index_t>;
Key key_of(const Message& m) {
    const bool on = is_sent_on(m.kind);
    return {m.kind, m.row, m.column, on ? 0 : m.source, on ? 0 : m.destination};
}
std::uint64_t name_of(const Message& m) {
    const auto [kind, row, column, source, destination] = key_of(m);
    std::uint64_t name = static_cast<std::uint64_t>(m.front);
    for (const index_t part : {static_cast<index_t>(kind), row, column, source, destination})
        name = name * 1'000'003 + static_cast<std::uint64_t>(part);
    return name;
}

const ObjectOperations& sized_operations() {
    static constexpr ObjectOperations operations{
        [](const void* object) { return static_cast<count_t>(static_cast<const SizedBlock*>(object)->bytes.size()); },
        [](const void* object, unsigned char* to) {
            const auto& bytes = static_cast<const SizedBlock*>(object)->bytes;
            std::memcpy(to, bytes.data(), bytes.size());
        },
        [](const unsigned char* from, count_t size, void* object) {
            static_cast<SizedBlock*>(object)->bytes.assign(from, from + size);
        }};
    return operations;
}

/// A buffer of the rank: of a message, or a slot for one after the other.
struct Item {
    std::vector<unsigned char> memory;
    SizedBlock block;
    DataHandle handle;
};

struct ContentArguments : TaskArguments {
    std::uint64_t name = 0;
    std::size_t size = 0;
    std::vector<unsigned char>* bytes = nullptr;
    std::atomic<count_t>* wrong = nullptr;  // null: fill
};

void content_cpu(void*[], void* raw) noexcept {
    run_task<ContentArguments>(raw, [&](const ContentArguments& a) {
        std::vector<unsigned char>& bytes = *a.bytes;
        if (a.wrong == nullptr) {
            for (std::size_t i = 0; i < a.size; ++i) bytes[i] = expected_byte(a.name, i);
            return;
        }
        bool right = bytes.size() == a.size;
        for (std::size_t i = 0; i < a.size && right; ++i) right = bytes[i] == expected_byte(a.name, i);
        if (!right) a.wrong->fetch_add(1);
    });
}

starpu_codelet& content_codelet() {
    static starpu_codelet codelet = make_codelet("content", content_cpu, 0);
    return codelet;
}

void nothing_cpu(void*[], void* raw) noexcept {
    run_task<TaskArguments>(raw, [](const TaskArguments&) {});
}

starpu_codelet& order_codelet() {
    static starpu_codelet codelet = make_codelet("order", nothing_cpu, 0);
    return codelet;
}

class Runner {
public:
    Runner(Door& door, const CostedTree& tree, const RankMapping& mapping, const PlanRun& run)
        : tree_(tree.tree),
          run_(run),
          channel_(*door.channel),
          plan_{tree.tree, mapping, tree.rule(), door.channel->rank(), run.solver, run.call},
          random_(run.delays + static_cast<std::uint64_t>(plan_.rank)),
          drain_(job_, channel_, plan_),
          before_(channel_.counts()) {
        for (index_t f = 0; f < tree_.front_count(); ++f) units_.push_back(DataHandle::without_data());
    }

    PlanResult result() {
        bool draining = false;
        for (index_t f = 0; f < tree_.front_count(); ++f) {
            if (stops(f)) job_.fail(std::make_exception_ptr(RuntimeError("stopped for a test")));
            // Ranks of odd number stop when they hear of it, the others submit on.
            draining = draining || stops(f) || (plan_.rank % 2 == 1 && job_.stopped());
            if (draining)
                drain_.unit(f);
            else
                submit(f);
        }
        PlanResult result;
        try {
            job_.wait();
        } catch (const RuntimeError&) {
            result.failed = true;
        }
        const detail::MessageCounts now = channel_.counts();
        result.counts = {now.sent_messages - before_.sent_messages, now.received_messages - before_.received_messages,
                         now.sent_bytes - before_.sent_bytes, now.received_bytes - before_.received_bytes};
        result.wrong_messages = wrong_;
        return result;
    }

private:
    bool stops(index_t front) const { return plan_.rank == run_.stopping_rank && front == run_.stops_at; }

    void submit(index_t front) {
        begin(front);
        std::map<Key, Item*> here;
        detail::for_each_message_of(plan_, front, [&](const Message& m, const MessageTag& tag) {
            pause();
            if (m.source == plan_.rank)
                send(m, tag, here);
            else
                receive(m, tag, here);
        });
    }

    /// After the front's children.
    void begin(index_t front) {
        std::vector<detail::Access> accesses{{units_[at(front)].get(), STARPU_RW}};
        for (count_t c = tree_.child_begin[at(front)]; c < tree_.child_begin[at(front) + 1]; ++c)
            accesses.push_back({units_[at(tree_.children[at(c)])].get(), STARPU_R});
        detail::insert_task(job_, order_codelet(), TaskArguments{}, accesses, 0);
    }

    void send(const Message& m, const MessageTag& tag, std::map<Key, Item*>& here) {
        Item*& item = here[key_of(m)];
        if (item == nullptr) {
            item = &make(m);
            submit_contents(m, *item, nullptr);
        }
        detail::send(job_, channel_, item->handle.get(), m.destination, tag, static_cast<int>(random_() % 3));
    }
    void receive(const Message& m, const MessageTag& tag, std::map<Key, Item*>& here) {
        Item& item = slot(m);
        here[key_of(m)] = &item;
        detail::receive(job_, channel_, item.handle.get(), m.source, tag);
        if (run_.stopping_rank < 0) submit_contents(m, item, &wrong_);  // else it may be empty
    }

    /// wrong: null where the rank makes the contents, which comes after all that it has checked in the front so far.
    void submit_contents(const Message& m, Item& item, std::atomic<count_t>* wrong) {
        ContentArguments arguments;
        arguments.name = name_of(m);
        arguments.size = at(m.bytes);
        arguments.bytes = detail::is_packed(m.kind) ? &item.block.bytes : &item.memory;
        arguments.wrong = wrong;
        const bool checks = wrong != nullptr;
        const detail::Access accesses[] = {{item.handle.get(), checks ? STARPU_R : STARPU_W},
                                           {units_[at(m.front)].get(), checks ? STARPU_RW : STARPU_R}};
        detail::insert_task(job_, content_codelet(), arguments, accesses, 0);
    }

    Item& make(const Message& m) {
        Item& item = items_.emplace_back();
        if (detail::is_packed(m.kind)) {
            item.block.bytes.assign(at(m.bytes), 0);
            item.handle = DataHandle::object_of(&item.block, sized_operations());
        } else {
            item.memory.assign(at(m.bytes), 0);
            item.handle = DataHandle::vector(item.memory.data(), m.bytes);
        }
        return item;
    }
    /// Tiles come into rings of two slots a row or column of tiles, all else into a buffer of its own.
    Item& slot(const Message& m) {
        const bool lower = m.kind == MessageKind::lower_tile, upper = m.kind == MessageKind::upper_tile;
        if (!lower && !upper) return make(m);
        Item*& item = rings_[{m.front, m.kind, lower ? m.row : m.column, (lower ? m.column : m.row) % 2, m.bytes}];
        if (item == nullptr) item = &make(m);
        return *item;
    }

    void pause() {
        if (run_.delays != 0 && random_() % 4 == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(random_() % 500));
    }

    const AssemblyTree& tree_;
    const PlanRun& run_;
    detail::Channel& channel_;
    detail::RankPlan plan_;
    std::mt19937_64 random_;
    std::atomic<count_t> wrong_{0};
    std::deque<Item> items_;
    std::vector<DataHandle> units_;
    std::map<std::tuple<index_t, MessageKind, index_t, index_t, count_t>, Item*> rings_;
    Job job_{detail::starpu_engine()};
    detail::Drain drain_;
    detail::MessageCounts before_;
};

}  // namespace

PlanResult run_plan(Door& door, const CostedTree& tree, const RankMapping& mapping, const PlanRun& run) {
    return Runner(door, tree, mapping, run).result();
}

}  // namespace frond::test
