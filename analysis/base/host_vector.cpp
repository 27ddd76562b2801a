// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/host_vector.hpp"

#include "frond/base/sanitizers.hpp"

#include <new>
#include <sys/mman.h>

namespace frond {
namespace {

/// AddressSanitizer guards the blocks of malloc only: then there are no others.
bool is_large(std::size_t bytes) { return !FROND_ADDRESS_SANITIZER && bytes >= std::size_t{256} << 10; }

}  // namespace

void* allocate_block(std::size_t bytes) {
    if (!is_large(bytes)) return ::operator new(bytes);
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    return data;
}

void free_block(void* data, std::size_t bytes) noexcept {
    if (is_large(bytes))
        munmap(data, bytes);
    else
        ::operator delete(data);
}

}  // namespace frond
