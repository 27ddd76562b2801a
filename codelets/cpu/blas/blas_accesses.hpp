// SPDX-License-Identifier: BSD-3-Clause
// What a BLAS routine reads and writes, told to the sanitizers: they see nothing of a library that
// was not built with them. Without a sanitizer nothing of this is compiled.
#pragma once

#include "frond/base/sanitizers.hpp"
#include "frond/cpu/dense_view.hpp"

#include <cstddef>

#if FROND_ADDRESS_SANITIZER
#define FROND_SANITIZER_READ __asan_loadN
#define FROND_SANITIZER_WRITE __asan_storeN
#elif FROND_THREAD_SANITIZER
#define FROND_SANITIZER_READ __tsan_read_range
#define FROND_SANITIZER_WRITE __tsan_write_range
#endif

#ifdef FROND_SANITIZER_READ
extern "C" {  // as GCC declares them itself
void FROND_SANITIZER_READ(void* begin, std::ptrdiff_t bytes);
void FROND_SANITIZER_WRITE(void* begin, std::ptrdiff_t bytes);
}
#endif

namespace frond::cpu::blas {

template <class T>
void note_read([[maybe_unused]] DenseView<const T> block) {
#ifdef FROND_SANITIZER_READ
    for (index_t j = 0; j < block.cols; ++j)
        FROND_SANITIZER_READ(const_cast<T*>(block.data) + j * std::ptrdiff_t{block.ld},
                             block.rows * std::ptrdiff_t{sizeof(T)});
#endif
}

template <class T>
void note_write([[maybe_unused]] DenseView<T> block) {
#ifdef FROND_SANITIZER_WRITE
    for (index_t j = 0; j < block.cols; ++j)
        FROND_SANITIZER_WRITE(block.data + j * std::ptrdiff_t{block.ld}, block.rows * std::ptrdiff_t{sizeof(T)});
#endif
}

}  // namespace frond::cpu::blas
