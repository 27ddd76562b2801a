// SPDX-License-Identifier: BSD-3-Clause
// Memory of devices of other processes, as the runtimes of NVIDIA and AMD open it.
#pragma once

#include "vendor.hpp"

namespace frond::gpu {

using ExportedMemory = FROND_GPU(IpcMemHandle_t);

/// The allocation that begins there.
inline FROND_GPU(Error_t) export_memory(ExportedMemory* exported, void* begin) {
    return FROND_GPU(IpcGetMemHandle)(exported, begin);
}

/// An allocation of another process, at an address of this one.
class OtherMemory {
public:
    FROND_GPU(Error_t) open(const ExportedMemory& exported) {
        return FROND_GPU(IpcOpenMemHandle)(&begin_, exported, FROND_GPU(IpcMemLazyEnablePeerAccess));
    }
    FROND_GPU(Error_t) close() { return FROND_GPU(IpcCloseMemHandle)(begin_); }
    /// Columns of it, from so many bytes behind its beginning.
    FROND_GPU(Error_t)
    copy(void* to, std::size_t to_stride, std::size_t offset, std::size_t stride, std::size_t bytes,
         std::size_t columns, Stream stream) const {
        return FROND_GPU(Memcpy2DAsync)(to, to_stride, static_cast<const char*>(begin_) + offset, stride, bytes,
                                        columns, FROND_GPU(MemcpyDefault), stream);
    }

private:
    void* begin_ = nullptr;
};

}  // namespace frond::gpu
