// SPDX-License-Identifier: BSD-3-Clause
#include "open_block.hpp"

namespace frond {
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
