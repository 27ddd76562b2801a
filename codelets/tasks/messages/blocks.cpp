// SPDX-License-Identifier: BSD-3-Clause
#include "blocks.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/failed_columns.hpp"

#include <string>

namespace frond {
namespace {

template <class T>
void announce_block_cpu(void* buffers[], void* raw) noexcept {
    *vector_buffer<Announcement>(buffers, 1) = {};  // also where the job has stopped
    run_task<AnnounceBlockArguments>(raw, [&](const AnnounceBlockArguments& a) {
        const auto& block = object_buffer<const cpu::DelayedColumns<T>>(buffers, 0);
        const Announcement announcement{block.bytes(), cpu::packed_bytes(block)};
        expect_sendable(announcement.packed_bytes, a.front);
        *vector_buffer<Announcement>(buffers, 1) = announcement;
    });
}

}  // namespace

void expect_sendable(count_t packed_bytes, index_t front) {
    if (packed_bytes <= cpu::most_packed_bytes) return;
    throw RuntimeError("front " + std::to_string(front) + " delays columns of " + std::to_string(packed_bytes) +
                       " bytes to a front of another rank, but a message has at most " +
                       std::to_string(cpu::most_packed_bytes) + "; use fewer ranks, or static pivoting");
}

template <class T>
starpu_codelet& announce_block_codelet() {
    static starpu_codelet codelet = make_codelet("announce_block", announce_block_cpu<T>, 0xC9B458);
    return codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& announce_block_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

namespace {

void grant_block_cpu(void* buffers[], void* raw) noexcept {
    run_task<GrantBlockArguments>(raw, [&](const GrantBlockArguments& a) {
        const count_t bytes = vector_buffer<const Announcement>(buffers, 0)->bytes;
        if (bytes > 0) a.account->take(bytes);
    });
}

}  // namespace

starpu_codelet& grant_block_codelet() {
    static starpu_codelet codelet = make_codelet("grant_block", grant_block_cpu, 0xC9B458);
    return codelet;
}

namespace {

void open_block_cpu(void*[], void* raw) noexcept {
    run_task<OpenBlockArguments>(raw, [](const OpenBlockArguments&) {});
}

}  // namespace

starpu_codelet& open_block_codelet() {
    static starpu_codelet codelet = make_codelet("open_block", open_block_cpu, 0xC9B458);
    return codelet;
}

}  // namespace frond
