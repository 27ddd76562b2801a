// SPDX-License-Identifier: BSD-3-Clause
#include "library.hpp"

#include <dlfcn.h>
#include <stdexcept>

#define FROND_TEXT(x) #x
#define FROND_EXPANDED_TEXT(x) FROND_TEXT(x)

namespace frond::bench {
namespace {

const std::string file_name = "libcudss.so." FROND_EXPANDED_TEXT(CUDSS_VERSION_MAJOR);
const std::string layer_name = "libcudss_mtlayer_gomp.so." FROND_EXPANDED_TEXT(CUDSS_VERSION_MAJOR);
const std::string header_version = FROND_EXPANDED_TEXT(CUDSS_VERSION_MAJOR) "." FROND_EXPANDED_TEXT(
    CUDSS_VERSION_MINOR) "." FROND_EXPANDED_TEXT(CUDSS_VERSION_PATCH);

/// By name, so that LD_LIBRARY_PATH can say where it is, then where it was when this was built.
/// Never closed.
void* open_library() {
    void* library = dlopen(file_name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
    const std::string reason = dlerror();
    library = dlopen((FROND_CUDSS_LIBRARY_FOLDER "/" + file_name).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw std::runtime_error("cuDSS cannot be loaded: " + reason + "; " + dlerror() +
                                 "; name its folder in LD_LIBRARY_PATH");
    return library;
}

template <class Function>
void load(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(file_name + " has no " + name);
}

std::string version_of(const CudssLibrary& cudss) {
    std::string text;
    for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
        int number = 0;
        check(cudss.cudssGetProperty(part, &number), "cudssGetProperty");
        if (!text.empty()) text += '.';
        text += std::to_string(number);
    }
    return text;
}

std::string folder_of(const void* function) {
    Dl_info info{};
    if (dladdr(function, &info) == 0) throw std::runtime_error("dladdr knows no cudssCreate");
    const std::string file = info.dli_fname;
    return file.substr(0, file.find_last_of('/') + 1);
}

CudssLibrary load_library() {
    void* const library = open_library();
    CudssLibrary cudss;
#define FROND_CUDSS_LOAD(function) load(library, #function, cudss.function)
    FROND_CUDSS_FUNCTIONS(FROND_CUDSS_LOAD);
    cudss.version = version_of(cudss);
    if (cudss.version != header_version)  // its enumerations change between versions
        throw std::runtime_error("cuDSS " + cudss.version + " is loaded, this is built for " + header_version);
    cudss.threading_layer = folder_of(reinterpret_cast<const void*>(cudss.cudssCreate)) + layer_name;
    return cudss;
}

/// A destructor cannot report a failure.
template <class Handle>
CudssOwner<Handle> own(Handle handle, cudssStatus_t (*destroy)(Handle)) {
    return {handle, [destroy](Handle h) { static_cast<void>(destroy(h)); }};
}

}  // namespace

const CudssLibrary& cudss_library() {
    static const CudssLibrary library = load_library();
    return library;
}

const char* to_string(cudssStatus_t status) {
    switch (status) {
        case CUDSS_STATUS_SUCCESS:
            return "success";
        case CUDSS_STATUS_NOT_INITIALIZED:
            return "not initialized";
        case CUDSS_STATUS_ALLOC_FAILED:
            return "allocation failed";
        case CUDSS_STATUS_INVALID_VALUE:
            return "invalid value";
        case CUDSS_STATUS_NOT_SUPPORTED:
            return "not supported";
        case CUDSS_STATUS_EXECUTION_FAILED:
            return "execution failed";
        case CUDSS_STATUS_INTERNAL_ERROR:
            return "internal error";
        case CUDSS_STATUS_IR_FAILED:
            return "refinement missed its tolerance";
    }
    return "unknown status";
}

void check(cudssStatus_t status, const char* call) {
    if (status != CUDSS_STATUS_SUCCESS)
        throw std::runtime_error(std::string(call) + ": " + to_string(status) + " (" + std::to_string(status) + ")");
}

void check(cudaError_t status, const char* call) {
    if (status != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status));
}

// Owned before it is checked: what a failed call wrote is to be destroyed, too.
CudssOwner<cudssHandle_t> make_cudss_handle() {
    const CudssLibrary& cudss = cudss_library();
    cudssHandle_t handle = nullptr;
    const cudssStatus_t status = cudss.cudssCreate(&handle);
    auto owner = own(handle, cudss.cudssDestroy);
    check(status, "cudssCreate");
    return owner;
}

CudssOwner<cudssConfig_t> make_cudss_config() {
    const CudssLibrary& cudss = cudss_library();
    cudssConfig_t config = nullptr;
    check(cudss.cudssConfigCreate(&config), "cudssConfigCreate");
    return own(config, cudss.cudssConfigDestroy);
}

CudssOwner<cudssData_t> make_cudss_data(cudssHandle_t handle) {
    const CudssLibrary& cudss = cudss_library();
    cudssData_t data = nullptr;
    check(cudss.cudssDataCreate(handle, &data), "cudssDataCreate");
    return {data, [&cudss, handle](cudssData_t d) { static_cast<void>(cudss.cudssDataDestroy(handle, d)); }};
}

CudssOwner<cudssMatrix_t> own_cudss_matrix(cudssMatrix_t matrix) {
    return own(matrix, cudss_library().cudssMatrixDestroy);
}

}  // namespace frond::bench
