// SPDX-License-Identifier: BSD-3-Clause
#include "machine.hpp"

#include "frond/base/hardware.hpp"
#include "frond/cpu/blas_info.hpp"

namespace frond::cli {

Processor read_processor(const std::filesystem::path& root) {
    return {processor_name(root), usable_cores(), processor_has_avx512()};
}

}  // namespace frond::cli
