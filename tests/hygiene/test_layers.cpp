// SPDX-License-Identifier: BSD-3-Clause
#include "include_rules.hpp"
#include "source_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace frond::hygiene;

std::vector<IncludeRule> rules_in_force() { return include_rules(read_text(FROND_SOURCE_DIR "/docs/architecture.md")); }

}  // namespace

TEST_CASE("every folder includes only what docs/architecture.md permits") {
    const std::vector<IncludeRule> rules = rules_in_force();
    REQUIRE(rules.size() >= 8);
    int seen = 0;
    for (const SourceFile& file : source_files({"analysis", "codelets", "runtime", "cli", "tools", "docs/examples"}))
        for (const Include& include : includes_of(file.text)) {
            ++seen;
            const std::string text = objection(rules, file.path, include);
            CHECK_MESSAGE(text.empty(), text);
        }
    CHECK(seen > 500);
}

TEST_CASE("of a task's sources, only those of its body on devices see what is under codelets/gpu") {
    int seen = 0;
    for (const SourceFile& file : source_files({"codelets/tasks"})) {
        if (file.path.find("_gpu.") != std::string::npos) continue;
        for (const Include& include : includes_of(file.text)) {
            ++seen;
            for (const char* beginning : {"frond/gpu/", "blas", "check.hpp", "kernels/", "plans/", "worker/"})
                CHECK_MESSAGE(!include.name.starts_with(beginning), file.path << " includes " << include.name);
            CHECK_MESSAGE(!include.name.ends_with("_gpu.hpp"), file.path << " includes " << include.name);
        }
    }
    CHECK(seen > 50);
}

TEST_CASE("arrows that must never be are refused") {
    const std::vector<IncludeRule> rules = rules_in_force();
    const auto refused = [&](const char* path, const char* name, bool quoted) {
        return !objection(rules, path, {1, name, quoted}).empty();
    };
    CHECK(refused("analysis/analyze.cpp", "frond/solver.hpp", true));
    CHECK(refused("analysis/analyze.cpp", "cblas.h", false));
    CHECK(refused("codelets/cpu/factor_block.cpp", "starpu.h", false));
    CHECK(refused("codelets/cpu/factor_block.cpp", "frond/codelets/task.hpp", true));
    CHECK(refused("codelets/starpu/job.cpp", "frond/session.hpp", true));
    CHECK(refused("codelets/tasks/panel/update_tile.cpp", "engine/insert_task.hpp", true));
    CHECK(refused("codelets/starpu/job.cpp", "tasks/update_tile/update_tile.hpp", true));
    CHECK(refused("codelets/gpu/devices.cpp", "tasks/update_tile/update_tile.hpp", true));
    CHECK(refused("cli/main.cpp", "starpu.h", false));
    CHECK(refused("cli/main.cpp", "submit/factorization.hpp", true));
    for (const char* name : {"starpu.h", "frond/codelets/task.hpp", "frond/gpu/resident_solve.hpp", "frond/solver.hpp",
                             "factors/factors_state.hpp", "substitution/factor_solve.hpp"})
        CHECK(refused("runtime/refinement/refine.cpp", name, true));
    CHECK(refused("runtime/substitution/factor_solve.cpp", "solve/solve_parts.hpp", true));
    CHECK(refused("runtime/solve/solve.cpp", "starpu.h", false));
    for (const char* path : {"runtime/ranks/collectively.cpp", "runtime/system/rows/halo.cpp"}) {
        CHECK(refused(path, "mpi.h", false));
        CHECK(refused(path, "starpu.h", false));
    }
    CHECK(refused("runtime/driver/ranks/rank_driver.cpp", "mpi.h", false));
    CHECK_FALSE(refused("runtime/mpi/mpi_calls.hpp", "mpi.h", false));
    for (const char* library :
         {"starpu.h", "mpi.h", "cuda.h", "cublas_v2.h", "hip/hip_runtime.h", "cblas.h", "metis.h", "fmt/format.h"}) {
        CHECK(refused("runtime/include/frond/solver.hpp", library, false));
        CHECK(refused("analysis/include/frond/base/types.hpp", library, false));
    }
    CHECK(refused("runtime/engine/insert_task.cpp", "session/session_state.hpp", true));
    CHECK(refused("runtime/session/starpu/forks.cpp", "session/session_state.hpp", true));
    CHECK(refused("runtime/solve/solve.cpp", "submit/factorization.hpp", true));
    CHECK(refused("runtime/submit/fronts/submit_units.cpp", "submit/factorization.hpp", true));
    for (const char* name : {"starpu_mpi.h", "mpi.h", "mpi/channel/start_channel.hpp"}) {
        CHECK(refused("runtime/messages/drain.cpp", name, false));
        CHECK(refused("runtime/session/session.cpp", name, false));
    }
    CHECK_FALSE(refused("runtime/mpi/channel/starpu_channel.cpp", "starpu_mpi.h", false));
    CHECK_FALSE(refused("runtime/engine/insert_task.cpp", "starpu.h", false));
    CHECK_FALSE(refused("analysis/analyze.cpp", "vector", false));
}

TEST_CASE("the folders of runtime are layers: a row names its own folder and those of rows before") {
    std::vector<std::string> folders;
    for (const IncludeRule& rule : rules_in_force()) {
        if (!rule.folder.starts_with("runtime/") || rule.folder == "runtime/include/") continue;
        folders.push_back(rule.folder.substr(std::string_view("runtime/").size()));
        for (const std::string& name : rule.permitted) {
            if (!name.ends_with('/') || name.starts_with("frond/") || name == "tasks/") continue;
            CAPTURE(rule.folder);
            CAPTURE(name);
            CHECK(std::find(folders.begin(), folders.end(), name) != folders.end());
        }
    }
    CHECK(folders.size() >= 10);
    folders.push_back("include/");
    for (const SourceFile& file : source_files({"runtime"})) {
        CAPTURE(file.path);
        CHECK(std::any_of(folders.begin(), folders.end(),
                          [&](const std::string& folder) { return file.path.starts_with("runtime/" + folder); }));
    }
}

TEST_CASE("includes are found where they are, not in comments") {
    const auto includes = includes_of("// #include <mpi.h>\n#include <vector>\n # include \"a.hpp\"\n");
    REQUIRE(includes.size() == 2);
    CHECK(includes[0].name == "vector");
    CHECK(includes[1].name == "a.hpp");
    CHECK(includes[1].line == 3);
    CHECK(includes[1].quoted);
}
