// SPDX-License-Identifier: BSD-3-Clause
#include "blas_library.hpp"

#include "frond/base/error.hpp"

#include <dlfcn.h>
#include <string>

// The text of a macro's value: cublas_v2.h renames some functions by macros, and the symbol is the
// new name.
#define FROND_UNEXPANDED_TEXT(x) #x
#define FROND_TEXT(x) FROND_UNEXPANDED_TEXT(x)

namespace frond::gpu {
namespace {

constexpr const char* file_name = FROND_BLAS_FILE;

void* open_library() {
    // Never closed: handles of other threads may be in use until the process ends.
    void* library = dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw DeviceError(std::string(BlasNames::library) + " cannot be loaded: " + dlerror() +
                          "; install it, or run with gpus = 0");
    return library;
}

template <class Function>
void load(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr)
        throw DeviceError(std::string(file_name) + " has no " + name + "; install a later " + BlasNames::library +
                          ", or run with gpus = 0");
}

BlasLibrary load_library() {
    void* const library = open_library();
    BlasLibrary blas;
#define FROND_LOAD(member, name) load(library, FROND_TEXT(name), blas.member);
    FROND_BLAS_ENTRY_POINTS(FROND_LOAD)
#undef FROND_LOAD
    return blas;
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

void check_blas(BlasNames::Status status, const char* call) {
    if (status == BlasNames::success) return;
    throw DeviceError(std::string(call) + " of " + BlasNames::library + " failed: " +
                      blas_library().status_text(status) + " (" + std::to_string(static_cast<int>(status)) + ")");
}

}  // namespace frond::gpu
