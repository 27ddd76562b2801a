// SPDX-License-Identifier: BSD-3-Clause
#include "execution.hpp"

#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "fiber.hpp"

namespace frond::gpu::emulated {
namespace {

constexpr unsigned warp_size = 32;

/// Threads that wait for each other.
struct Meeting {
    unsigned members = 0, arrived = 0, times = 0;

    bool is_complete() {
        if (arrived < members || members == 0) return false;
        arrived = 0;
        ++times;
        return true;
    }
};

/// The block of threads that runs.
struct Block {
    Meeting all;
    std::vector<Meeting> warps;
    std::vector<char> exchanged;
    unsigned current = 0;
    bool has_moved = false;  // since the threads were last gone through
};

ThreadPlace here;
Block& block = *new Block;
std::vector<std::unique_ptr<Fiber>>& fibers = *new std::vector<std::unique_ptr<Fiber>>;
const std::function<void()>* kernel = nullptr;

void stand_at(unsigned thread) {
    block.current = thread;
    here.thread = {thread % here.threads.x, thread / here.threads.x % here.threads.y,
                   thread / here.threads.x / here.threads.y};
}

Meeting& own_warp() { return block.warps[block.current / warp_size]; }

void wait_for(Meeting& meeting) {
    const unsigned before = meeting.times, thread = block.current;
    ++meeting.arrived;
    block.has_moved = true;
    if (meeting.is_complete()) return;
    while (meeting.times == before) fibers[thread]->pause();
}

void thread_body() {
    (*kernel)();
    block.has_moved = true;
    Meeting& warp = own_warp();
    --warp.members;
    --block.all.members;
    warp.is_complete();
    block.all.is_complete();
}

void run_block(unsigned threads) {
    block.all = {threads, 0, 0};
    block.warps.assign((threads + warp_size - 1) / warp_size, Meeting{});
    for (unsigned t = 0; t < threads; ++t) ++block.warps[t / warp_size].members;
    for (unsigned t = 0; t < threads; ++t) fibers[t]->start(thread_body);
    while (block.all.members > 0) {
        block.has_moved = false;
        for (unsigned t = 0; t < threads; ++t) {
            if (fibers[t]->has_ended()) continue;
            stand_at(t);
            fibers[t]->resume();
        }
        if (!block.has_moved) throw std::logic_error("the threads of a kernel wait for each other in vain");
    }
}

}  // namespace

const ThreadPlace& place() noexcept { return here; }

void run_kernel(Extent grid, Extent threads, const std::function<void()>& body) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const unsigned count = threads.x * threads.y * threads.z;
    while (fibers.size() < count) fibers.push_back(std::make_unique<Fiber>());
    block.exchanged.resize(static_cast<std::size_t>(count + warp_size) * exchanged_bytes);
    here.threads = threads;
    here.blocks = grid;
    kernel = &body;
    // Blocks in their order and backwards, in turn: no result may depend on which one is last.
    static bool backwards = false;
    backwards = !backwards;
    const unsigned blocks = grid.x * grid.y * grid.z;
    for (unsigned n = 0; n < blocks; ++n) {
        const unsigned k = backwards ? blocks - 1 - n : n;
        here.block = {k % grid.x, k / grid.x % grid.y, k / grid.x / grid.y};
        run_block(count);
    }
}

void wait_for_block() { wait_for(block.all); }
void wait_for_warp() { wait_for(own_warp()); }
unsigned lane() { return block.current % warp_size; }
char* exchanged(unsigned lane) {
    return block.exchanged.data() +
           static_cast<std::size_t>(block.current / warp_size * warp_size + lane) * exchanged_bytes;
}

}  // namespace frond::gpu::emulated
