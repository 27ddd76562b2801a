// SPDX-License-Identifier: BSD-3-Clause
#include "blas_library.hpp"

#include "frond/base/error.hpp"
#include "runtime.hpp"

#define FROND_DECLARE(T, name)                                                                                        \
    extern "C" void name##gemm_(const char*, const char*, const int*, const int*, const int*, const T*, const T*,     \
                                const int*, const T*, const int*, const T*, T*, const int*);                          \
    extern "C" void name##trsm_(const char*, const char*, const char*, const char*, const int*, const int*, const T*, \
                                const T*, const int*, T*, const int*);                                                \
    extern "C" void name##trsv_(const char*, const char*, const char*, const int*, const T*, const int*, T*,          \
                                const int*);
FROND_DECLARE(float, s)
FROND_DECLARE(double, d)
FROND_DECLARE(std::complex<float>, c)
FROND_DECLARE(std::complex<double>, z)

namespace frond::gpu {
namespace emulated_blas {

int create(Context** handle) {
    *handle = new Context();
    return 0;
}
int destroy(Context* handle) {
    delete handle;
    return 0;
}
int set_stream(Context*, void*) { return 0; }
int set_atomics_mode(Context*, int) { return 0; }
const char* status_text(int) { return "an error of the emulated BLAS"; }

// Scalars by value: they may be gone when what is recorded runs.
#define FROND_DEFINE(T, name)                                                                                         \
    template <>                                                                                                       \
    int gemm<T>(Context*, char op_a, char op_b, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, \
                int ldb, const T* beta, T* c, int ldc) {                                                              \
        queue_emulated([=, alpha = *alpha, beta = *beta] {                                                            \
            name##gemm_(&op_a, &op_b, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);                          \
        });                                                                                                           \
        return 0;                                                                                                     \
    }                                                                                                                 \
    template <>                                                                                                       \
    int trsm<T>(Context*, char side, char fill, char op, char diagonal, int m, int n, const T* alpha, const T* a,     \
                int lda, T* b, int ldb) {                                                                             \
        queue_emulated(                                                                                               \
            [=, alpha = *alpha] { name##trsm_(&side, &fill, &op, &diagonal, &m, &n, &alpha, a, &lda, b, &ldb); });    \
        return 0;                                                                                                     \
    }                                                                                                                 \
    template <>                                                                                                       \
    int trsv<T>(Context*, char fill, char op, char diagonal, int n, const T* a, int lda, T* x, int step) {            \
        queue_emulated([=] { name##trsv_(&fill, &op, &diagonal, &n, a, &lda, x, &step); });                           \
        return 0;                                                                                                     \
    }
FROND_DEFINE(float, s)
FROND_DEFINE(double, d)
FROND_DEFINE(std::complex<float>, c)
FROND_DEFINE(std::complex<double>, z)

}  // namespace emulated_blas

const BlasLibrary& blas_library() {
    static const BlasLibrary blas = [] {
        BlasLibrary all;
#define FROND_SET(member, name) all.member = &name;
        FROND_BLAS_ENTRY_POINTS(FROND_SET)
#undef FROND_SET
        return all;
    }();
    return blas;
}

std::string blas_library_missing() { return {}; }

void check_blas(BlasNames::Status status, const char* call) {
    if (status != BlasNames::success) throw DeviceError(std::string(call) + " of the emulated BLAS failed");
}

}  // namespace frond::gpu
