// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_factorization.hpp"

#include <algorithm>

#include "blas.hpp"
#include "factor/store_plan.hpp"
#include "factor/tree_tables.hpp"
#include "factor/value_scaler.hpp"
#include "frond/base/instantiate.hpp"
#include "graph.hpp"
#include "queue.hpp"
#include "tasks/count_eliminated.hpp"

namespace frond::gpu {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

}  // namespace

template <class T>
struct ResidentFactorization<T>::State {
    int device;
    unsigned node;
    std::shared_ptr<const Analysis> analysis;
    Factorization kind;
    TreeTables<T> tables;
    std::unique_ptr<Queue> queue;
    std::unique_ptr<ValueScaler<T>> scaler;
    T* host_room = nullptr;
    // Grown to what a run needs.
    std::unique_ptr<PinnedMemory<T>> host_pivots;
    std::unique_ptr<PinnedMemory<index_t>> host_perm;
    std::unique_ptr<PinnedMemory<EliminateAnswer>> host_answer;
    DeviceMemory<EliminateAnswer> answer;
    DeviceMemory<StoreBlock<T>> blocks;
    DeviceMemory<StorePivots<T>> pivots;
    std::unique_ptr<PinnedMemory<StoreBlock<T>>> host_blocks;
    std::unique_ptr<PinnedMemory<StorePivots<T>>> host_store_pivots;
    std::unique_ptr<Graph> graph;

    State(int number, unsigned memory_node, std::shared_ptr<const Analysis> of, count_t most_bytes)
        : device(number),
          node(memory_node),
          analysis(std::move(of)),
          kind(analysis->factorization),
          tables(*analysis, most_bytes - ValueScaler<T>::bytes(*analysis)) {}

    ~State() {
        try {
            const CurrentDevice current(device);
            graph.reset();
            queue.reset();
        } catch (const DeviceError&) {  // the device is lost, and all on it
        }
    }

    Stream stream() const { return queue->stream(); }

    void be_ready() {
        if (tables.is_there()) return;
        queue = std::make_unique<Queue>();
        tables.send(node, stream(), host_room);
        scaler = std::make_unique<ValueScaler<T>>(node, stream(), *analysis);
        host_pivots = std::make_unique<PinnedMemory<T>>(tables.pivot_scalars());
        host_perm = std::make_unique<PinnedMemory<index_t>>(tables.perm_size());
        host_answer = std::make_unique<PinnedMemory<EliminateAnswer>>(1);
        answer = DeviceMemory<EliminateAnswer>(node, 1);
    }

    /// For what differs from run to run; what is recorded has its addresses.
    void make_room(const StorePlan<T>& store) {
        const auto wanted = static_cast<count_t>(store.blocks.size()), pieces = static_cast<count_t>(store.pivots.size());
        if (blocks.bytes() == at(wanted) * sizeof(StoreBlock<T>) && pivots.bytes() == at(pieces) * sizeof(StorePivots<T>))
            return;
        graph.reset();
        blocks = DeviceMemory<StoreBlock<T>>(node, wanted);
        pivots = DeviceMemory<StorePivots<T>>(node, pieces);
        host_blocks = std::make_unique<PinnedMemory<StoreBlock<T>>>(wanted);
        host_store_pivots = std::make_unique<PinnedMemory<StorePivots<T>>>(pieces);
    }

    template <class Value>
    void send(const Value* from, std::size_t bytes, Value* to) {
        if (bytes == 0) return;
        check(FROND_GPU(MemcpyAsync)(to, from, bytes, FROND_GPU(MemcpyHostToDevice), stream()),
              "sending where factors go");
    }

    void send(const EliminateRule& rule, const StorePlan<T>& store) {
        *host_answer->data() = EliminateAnswer(rule);
        send(host_answer->data(), answer.bytes(), answer.data());
        std::copy(store.blocks.begin(), store.blocks.end(), host_blocks->data());
        std::copy(store.pivots.begin(), store.pivots.end(), host_store_pivots->data());
        send(host_blocks->data(), blocks.bytes(), blocks.data());
        send(host_store_pivots->data(), pivots.bytes(), pivots.data());
    }

    /// All kernels, from assembly to the pivots on their way to the host.
    void launch(const StorePlan<T>& store) {
        const auto& levels = tables.plan().levels();
        for (std::size_t l = 0; l < levels.size(); ++l) {
            assemble(levels[l]);
            eliminate(levels[l]);
            store_level(levels[l], store.levels[l]);
        }
        store_pivots<T>(stream(), static_cast<index_t>(store.pivots.size()), pivots.data());
        fetch(answer.data(), 1, host_answer->data());
        fetch(tables.pivots(), tables.pivot_scalars(), host_pivots->data());
        fetch(tables.perm(), tables.perm_size(), host_perm->data());
    }

    /// Launching thousands of kernels takes the host longer than they take the device: they are recorded once.
    const Graph& recorded(const StorePlan<T>& store) {
        if (graph == nullptr) graph = std::make_unique<Graph>(stream(), [&] { launch(store); });
        return *graph;
    }

    void assemble(const SubtreePlan::Level& level) {
        const index_t count = level.last - level.first;
        gather_level<T>(stream(), count, level.largest_order, tables.fronts() + level.first,
                          tables.sources() + level.first, tables.entries(), tables.children(),
                          kind != Factorization::lu);
    }

    /// Behind a block of columns. Symmetric kinds: by strips, so that little above the diagonal is computed.
    void subtract(const BlockProduct& p) {
        const SquareFront<T>& f = tables.squares()[at(p.front)];
        const auto ld = static_cast<index_t>(f.ld);
        const index_t width = p.last - p.first;
        const index_t strip = kind == Factorization::lu ? f.order - p.last : 1024;
        for (index_t j = p.last; j < f.order; j += strip) {
            const index_t i = kind == Factorization::lu ? p.last : j, columns = std::min(strip, f.order - j);
            subtract_product<T>(queue->blas(), {f.data + i + p.first * f.ld, f.order - i, width, ld}, Form::plain,
                                {f.data + p.first + j * f.ld, width, columns, ld},
                                {f.data + i + j * f.ld, f.order - i, columns, ld});
        }
    }

    void eliminate(const SubtreePlan::Level& level) {
        const StepPlan& steps = tables.steps();
        for (index_t l = level.first_launch; l < level.last_launch; ++l) {
            const StepLaunch& launch = steps.launches[at(l)];
            eliminate_step<T>(stream(), tables.fronts(), tables.front_steps(), launch, kind, answer.data());
            for (index_t p = launch.first_product; p < launch.last_product; ++p) subtract(steps.products[at(p)]);
        }
    }

    void store_level(const SubtreePlan::Level& level, const typename StorePlan<T>::Level& to) {
        store_blocks<T>(stream(), to.last - to.first, to.most_columns, blocks.data() + to.first);
        if (kind == Factorization::llt || kind == Factorization::lu)
            store_diagonals<T>(stream(), level.last - level.first, tables.fronts() + level.first);
    }

    template <class Value>
    void fetch(const Value* from, count_t count, Value* to) {
        if (count > 0)
            check(FROND_GPU(MemcpyAsync)(to, from, at(count) * sizeof(Value), FROND_GPU(MemcpyDeviceToHost), stream()),
                  "fetching the pivots of a tree");
    }

    void report(const PivotRule& rule, PivotReport& counted) const {
        counted = count_eliminated(kind, analysis->order, host_pivots->data());
        if (rule.threshold > 0) counted.largest_l = host_answer->data()->largest();
    }
};

template <class T>
ResidentFactorization<T>::ResidentFactorization(int device, unsigned memory_node,
                                                std::shared_ptr<const Analysis> analysis, count_t most_bytes)
    : state_(std::make_unique<State>(device, memory_node, std::move(analysis), most_bytes)) {}

template <class T>
ResidentFactorization<T>::~ResidentFactorization() = default;

template <class T>
const std::shared_ptr<const Analysis>& ResidentFactorization<T>::analysis() const noexcept {
    return state_->analysis;
}

template <class T>
count_t ResidentFactorization<T>::bytes() const noexcept {
    return state_->tables.bytes() + ValueScaler<T>::bytes(*state_->analysis);
}

template <class T>
count_t ResidentFactorization<T>::host_bytes() const noexcept {
    return state_->tables.host_bytes();
}

template <class T>
void ResidentFactorization<T>::use_host_room(T* room) noexcept {
    state_->host_room = room;
}

template <class T>
bool ResidentFactorization<T>::is_in_parts() const noexcept {
    return state_->tables.plan().ranges().size() > 1;
}

template <class T>
count_t ResidentFactorization<T>::host_traffic_bytes() const noexcept {
    return state_->tables.host_traffic_bytes();
}

template <class T>
count_t ResidentFactorization<T>::pivot_bytes() const noexcept {
    return state_->tables.pivot_scalars() * static_cast<count_t>(sizeof(T)) +
           state_->tables.perm_size() * static_cast<count_t>(sizeof(index_t));
}

template <class T>
count_t ResidentFactorization<T>::launches() const noexcept {
    constexpr count_t a_step = 3, a_level = 5;
    return a_step * static_cast<count_t>(state_->tables.steps().launches.size()) +
           a_level * static_cast<count_t>(state_->tables.plan().levels().size());
}

template <class T>
T* ResidentFactorization<T>::host_values() {
    const CurrentDevice current(state_->device);
    state_->be_ready();
    return state_->scaler->host_values();
}

template <class T>
double ResidentFactorization<T>::scale(const Pattern& pattern, const Scaling& scaling) {
    const CurrentDevice current(state_->device);
    state_->be_ready();
    return state_->scaler->scale(pattern, scaling, state_->tables.values());
}

template <class T>
void ResidentFactorization<T>::start(const PivotRule& rule, const std::vector<PlacedFront<T>>& places) {
    State& s = *state_;
    const CurrentDevice current(s.device);
    s.be_ready();
    const StorePlan<T> store(*s.analysis, s.tables, places);
    s.make_room(store);
    s.send(eliminate_rule<T>(s.kind, rule, rule.threshold > 0), store);
    s.recorded(store).launch(s.stream());
}

template <class T>
bool ResidentFactorization<T>::finish(const PivotRule& rule, Answer& answer) {
    State& s = *state_;
    const CurrentDevice current(s.device);
    s.queue->drain();
    if (s.host_answer->data()->failed != 0) return false;
    answer.perm.assign(s.host_perm->data(), s.host_perm->data() + s.tables.perm_size());
    s.report(rule, answer.report);
    return true;
}

#define FROND_INSTANTIATE(T) template class ResidentFactorization<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
