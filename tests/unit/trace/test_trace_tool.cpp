// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "system_folder.hpp"
#include "trace/recording.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using namespace frond;
using namespace frond::cli;
using frond::test::SystemFolder;

namespace {

std::string refusal(bool records_traces, const std::string& folder) {
    try {
        return "found " + trace_tool(records_traces, folder);
    } catch (const RuntimeError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a StarPU that records no traces, or has no tool for them, is said so") {
    SystemFolder folder;
    CHECK(refusal(false, folder.path()).find("it was built without FxT; install libfxt-dev") != std::string::npos);
    const std::string tool = folder.path() + "/starpu_fxt_tool";
    folder.write("/starpu_fxt_tool", "");
    const std::string there = refusal(true, folder.path());  // no program
    CHECK((there.find("neither in " + folder.path()) != std::string::npos || there.starts_with("found /")));
    CHECK(there != "found " + tool);
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
    CHECK(refusal(true, folder.path()) == "found " + tool);
    CHECK(refusal(false, folder.path()).find("without FxT") != std::string::npos);
}
