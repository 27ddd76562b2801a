// SPDX-License-Identifier: BSD-3-Clause
#include "library.hpp"

#include <array>
#include <dlfcn.h>
#include <mkl_version.h>
#include <stdexcept>

namespace frond::bench {
namespace {

const std::string folder = FROND_MKL_LIBRARY_FOLDER "/";
const std::string openmp_file = "libiomp5.so";
const std::string mkl_file = "libmkl_rt.so." FROND_MKL_LIBRARY_NUMBER;

/// By name, so that LD_LIBRARY_PATH can say where it is, then where it was when this was built.
/// Never closed.
void* open_library(const std::string& file, int flags) {
    void* library = dlopen(file.c_str(), RTLD_NOW | flags);
    if (library != nullptr) return library;
    const std::string reason = dlerror();
    library = dlopen((folder + file).c_str(), RTLD_NOW | flags);
    if (library == nullptr)
        throw std::runtime_error("MKL cannot be loaded: " + reason + "; " + dlerror() +
                                 "; name its folder in LD_LIBRARY_PATH");
    return library;
}

template <class Function>
void load(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(mkl_file + " has no " + name);
}

void expect_version_of_header(void* library) {
    decltype(&::MKL_Get_Version) get_version = nullptr;
    load(library, "MKL_Get_Version", get_version);
    MKLVersion version{};
    get_version(&version);
    const std::string loaded = std::to_string(version.MajorVersion) + "." + std::to_string(version.MinorVersion) + "." +
                               std::to_string(version.UpdateVersion);
    if (loaded != mkl_version())
        throw std::runtime_error("MKL " + loaded + " is loaded, this is built for " + mkl_version());
}

// With threads of one OpenMP and numbers of threads from another, PARDISO fails or never ends.
void expect_intel_openmp_first() {
    const void* const found = dlsym(RTLD_DEFAULT, "omp_get_thread_num");
    Dl_info info{};
    if (found != nullptr && dladdr(found, &info) != 0 &&
        std::string(info.dli_fname).find(openmp_file) != std::string::npos)
        return;
    throw std::runtime_error("PARDISO needs Intel's OpenMP before any other: LD_PRELOAD=" + intel_openmp_library());
}

PardisoLibrary load_library() {
    expect_intel_openmp_first();
    void* const mkl = open_library(mkl_file, RTLD_LOCAL);
    decltype(&::MKL_Set_Threading_Layer) set_layer = nullptr;
    load(mkl, "MKL_Set_Threading_Layer", set_layer);
    set_layer(MKL_THREADING_INTEL);
    expect_version_of_header(mkl);
    PardisoLibrary found;
    load(mkl, "pardiso", found.pardiso);
    load(mkl, "pardisoinit", found.pardisoinit);
    load(mkl, "MKL_Set_Num_Threads", found.set_threads);
    return found;
}

constexpr std::array error_texts{"inconsistent input",
                                 "not enough memory",
                                 "reordering problem",
                                 "zero pivot, numerical factorization or iterative refinement problem",
                                 "unclassified internal error",
                                 "reordering failed",
                                 "the diagonal matrix is singular"};

}  // namespace

std::string mkl_version() {
    return std::to_string(__INTEL_MKL__) + "." + std::to_string(__INTEL_MKL_MINOR__) + "." +
           std::to_string(__INTEL_MKL_UPDATE__);
}

std::string intel_openmp_library() { return folder + openmp_file; }

const PardisoLibrary& pardiso_library() {
    static const PardisoLibrary library = load_library();
    return library;
}

std::string pardiso_error_text(MKL_INT error) {
    const auto k = static_cast<std::size_t>(-error - 1);
    const std::string number = std::to_string(error);
    return k < error_texts.size() ? number + ": " + error_texts[k] : number;
}

}  // namespace frond::bench
