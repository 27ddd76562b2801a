// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/load_plugin.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>

#include "frond/base/error.hpp"

namespace frond::detail {
namespace {

constexpr const char* plugin_file = "libfrond_mpi.so";
constexpr const char* plugin_variable = "FROND_MPI_PLUGIN";

std::string text_of_loader() {
    const char* const text = dlerror();
    return text != nullptr ? text : "unknown reason";
}

/// Open MPI loads parts of itself, which look for its symbols among the global ones.
const MpiPlugin* load() {
    const char* const given = std::getenv(plugin_variable);
    const std::string file = given != nullptr && *given != '\0' ? given : plugin_file;
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr)
        throw RuntimeError(
            "MPI cannot be used: " + text_of_loader() +
            "; build Frond where MPI is (CMake option FROND_MPI) and install all of it, or name the file "
            "in the environment variable " +
            plugin_variable);
    const auto function = reinterpret_cast<MpiPluginFunction>(dlsym(library, mpi_plugin_symbol));
    if (function == nullptr) throw RuntimeError("MPI cannot be used: " + text_of_loader() + "; install Frond anew");
    const MpiPlugin* const plugin = function();
    if (plugin->version() != mpi_plugin_version)
        throw RuntimeError("MPI cannot be used: " + file +
                           " belongs to another build of Frond; install all of one build");
    if (const std::string objection = plugin->objection(); !objection.empty())
        throw RuntimeError("MPI cannot be used: " + objection);
    return plugin;
}

}  // namespace

const MpiPlugin& mpi_plugin() {
    static std::mutex mutex;
    static const MpiPlugin* plugin = nullptr;  // never unloaded: MPI's threads may run to the end
    const std::lock_guard lock(mutex);
    if (plugin == nullptr) plugin = load();
    return *plugin;
}

}  // namespace frond::detail
