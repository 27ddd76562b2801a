// SPDX-License-Identifier: BSD-3-Clause
#include "blas_library.hpp"

#include <dlfcn.h>

#include <string>

#include "frond/base/error.hpp"

#define FROND_TEXT(x) #x
#define FROND_EXPANDED_TEXT(x) FROND_TEXT(x)

namespace frond::gpu {
namespace {

constexpr const char* file_name = "libcublas.so." FROND_EXPANDED_TEXT(CUBLAS_VER_MAJOR);

void* open_library() {
    // Never closed: handles of other threads may be in use until the process ends.
    void* library = dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw DeviceError(std::string("cuBLAS cannot be loaded: ") + dlerror() +
                          "; install it, or run with gpus = 0");
    return library;
}

template <class Function>
void load(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr)
        throw DeviceError(std::string(file_name) + " has no " + name + "; install cuBLAS " +
                          FROND_EXPANDED_TEXT(CUBLAS_VER_MAJOR) + ", or run with gpus = 0");
}

// cublas_v2.h renames some functions by macros: the text of the expanded name is the symbol.
#define FROND_LOAD(member, name) load(library, FROND_EXPANDED_TEXT(name), blas.member)

BlasLibrary load_library() {
    void* const library = open_library();
    BlasLibrary blas;
    FROND_LOAD(create, cublasCreate);
    FROND_LOAD(destroy, cublasDestroy);
    FROND_LOAD(set_stream, cublasSetStream);
    FROND_LOAD(sgemm, cublasSgemm);
    FROND_LOAD(dgemm, cublasDgemm);
    FROND_LOAD(cgemm, cublasCgemm);
    FROND_LOAD(zgemm, cublasZgemm);
    FROND_LOAD(strsm, cublasStrsm);
    FROND_LOAD(dtrsm, cublasDtrsm);
    FROND_LOAD(ctrsm, cublasCtrsm);
    FROND_LOAD(ztrsm, cublasZtrsm);
    return blas;
}

const char* name_of(cublasStatus_t status) {
    switch (status) {
        case CUBLAS_STATUS_NOT_INITIALIZED: return "not initialized";
        case CUBLAS_STATUS_ALLOC_FAILED: return "allocation failed";
        case CUBLAS_STATUS_INVALID_VALUE: return "invalid value";
        case CUBLAS_STATUS_ARCH_MISMATCH: return "the device is too old";
        case CUBLAS_STATUS_EXECUTION_FAILED: return "execution failed";
        default: return "status";
    }
}

}  // namespace

const BlasLibrary& blas_library() {
    static const BlasLibrary blas = load_library();
    return blas;
}

std::string blas_library_missing() {
    try {
        blas_library();
        return {};
    } catch (const DeviceError& e) {
        return e.what();
    }
}

void check_blas(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw DeviceError(std::string(call) + " of cuBLAS failed: " + name_of(status) + " (" +
                      std::to_string(static_cast<int>(status)) + ")");
}

}  // namespace frond::gpu
