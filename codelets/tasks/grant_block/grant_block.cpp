// SPDX-License-Identifier: BSD-3-Clause
#include "grant_block.hpp"

namespace frond {
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

}  // namespace frond
