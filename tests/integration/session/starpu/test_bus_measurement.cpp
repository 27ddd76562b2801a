// SPDX-License-Identifier: BSD-3-Clause
// StarPU's measurement of cards: copied where it is whole, otherwise made anew.
#include "session/starpu/bus_measurement.hpp"
#include "session/starpu/scoped_environment.hpp"
#include "system_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using namespace frond::detail;
using namespace frond::test;

namespace {

/// Two processors, one NUMA node, two cards and one device of another kind.
void write_measurement(SystemFolder& folder, const std::string& name) {
    folder.write(name + ".config",
                 "# Current configuration\n2 # Number of CPUs\n1 # Number of NUMA nodes\n"
                 "2 # Number of CUDA nodes\n0 # Number of OpenCL nodes\n1 # Number of HIP nodes\n");
    folder.write(name + ".affinity", "# GPU\tNUMA0\t\n0\t0\t\n1\t0\t\n0\t0\t\n");
    for (const char* kind : {".latency", ".bandwidth"})
        folder.write(name + kind, "# to NUMA 0\tto CUDA 0\t\n0.000000e+00\t1.25e-04\tnan\n-nan\t7\t1\n1\t2\t3\n");
}

std::string text_of_file(const std::string& name) {
    std::stringstream text;
    text << std::ifstream(name).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("a whole measurement is copied under another name, into folders that are not there yet") {
    SystemFolder folder;
    write_measurement(folder, "/kept/here");
    const BusMeasurement kept{folder.path() + "/kept", "here"}, copy{folder.path() + "/a/b", "there"};
    CHECK(is_whole(kept));
    CHECK_FALSE(is_whole(copy));
    CHECK(copy_measurement(kept, copy));
    CHECK(is_whole(copy));
    for (const char* kind : {".config", ".affinity", ".latency", ".bandwidth"})
        CHECK(text_of_file(folder.path() + "/a/b/there" + kind) == text_of_file(folder.path() + "/kept/here" + kind));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path() + "/a/b"), {}) == 4);
    folder.write("/a/b/there.latency", "");  // what is broken is replaced
    CHECK(copy_measurement(kept, copy));
    CHECK(is_whole(copy));
}

TEST_CASE("a measurement is not whole when a file is empty, cut off, missing or of another locale") {
    const struct {
        const char *kind, *text;
    } broken[] = {{".config", ""},
                  {".config", "# Current configuration\n2 # Number of CPUs\n"},
                  {".config", "# Current configuration\nmany # Number of CPUs\n1\n2\n0\n1\n"},
                  {".affinity", ""},
                  {".affinity", "# GPU\tNUMA0\t\n0\t0\t\n1\t0\t\n"},  // a card is missing
                  {".affinity", "# GPU\tNUMA0\t\n0\t0\t\n1\t\n0\t0\t\n"},  // and here its node
                  {".affinity", "# GPU\tNUMA0\t\n0\t0\t\n2\t0\t\n0\t0\t\n"},  // other numbers
                  {".affinity", "# GPU\n0\t0\t\n1\t0\t\n0\t0\t\n"},
                  {".latency", "0\t1\t2\n3\t4\t5\n6\t7"},
                  {".latency", "0\t1\t2\n3\t4\t5\n"},
                  {".latency", "0,0\t1,5\t2\n3\t4\t5\n6\t7\t8\n"},
                  {".bandwidth", "0\t1\t2\n3\t4\n6\t7\t8\n"}};

    for (const auto& [kind, text] : broken) {
        CAPTURE(kind);
        CAPTURE(text);
        SystemFolder folder;
        write_measurement(folder, "/here");
        const BusMeasurement kept{folder.path(), "here"};
        REQUIRE(is_whole(kept));
        folder.write(std::string("/here") + kind, text);
        CHECK_FALSE(is_whole(kept));
        CHECK_FALSE(copy_measurement(kept, {folder.path() + "/copy", "there"}));
        CHECK_FALSE(std::filesystem::exists(folder.path() + "/copy"));
        std::filesystem::remove(folder.path() + "/here" + kind);
        CHECK_FALSE(is_whole(kept));
    }
}

TEST_CASE("what was measured without a card is not worth keeping") {
    SystemFolder folder;
    write_measurement(folder, "/here");
    folder.write("/here.config", "2 # Number of CPUs\n1 # Number of NUMA nodes\n0 # Number of CUDA nodes\n");
    folder.write("/here.affinity", "# GPU\tNUMA0\t\n");
    CHECK_FALSE(is_whole({folder.path(), "here"}));
}

TEST_CASE("a copy to where nothing can be written fails and harms nothing") {
    SystemFolder folder;
    write_measurement(folder, "/here");
    const BusMeasurement kept{folder.path(), "here"};
    CHECK_FALSE(copy_measurement(kept, {"/proc/nowhere", "there"}));
    CHECK_FALSE(copy_measurement(kept, {folder.path() + "/here.config", "there"}));
    CHECK_FALSE(copy_measurement(kept, {"", "there"}));
    CHECK(is_whole(kept));
}

TEST_CASE("where StarPU keeps its measurement") {
    ScopedEnvironment environment;
    for (const char* name : {"STARPU_PERF_MODEL_DIR", "XDG_CACHE_HOME", "STARPU_HOME", "HOME"}) environment.hide(name);
    environment.set("STARPU_HOSTNAME", "here");
    CHECK(kept_measurement() == BusMeasurement{"", "here"});
    environment.set("HOME", "/home/me");
    CHECK(kept_measurement() == BusMeasurement{"/home/me/.starpu/sampling/bus", "here"});
    environment.set("STARPU_HOME", "/fast");
    CHECK(kept_measurement().folder == "/fast/.starpu/sampling/bus");
    environment.set("XDG_CACHE_HOME", "/cache");
    CHECK(kept_measurement().folder == "/cache/.starpu/sampling/bus");
    environment.set("STARPU_PERF_MODEL_DIR", "/models");
    CHECK(kept_measurement().folder == "/models/bus");
    environment.hide("STARPU_HOSTNAME");
    CHECK_FALSE(kept_measurement().host.empty());
    CHECK(kept_measurement().host.find('.') == std::string::npos);
}
