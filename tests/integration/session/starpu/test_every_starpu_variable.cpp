// SPDX-License-Identifier: BSD-3-Clause
// No variable that the StarPU at hand knows ends the process, whichever version it is: their names are read from its
// library file.
#include "child_process.hpp"
#include "frond/base/error.hpp"
#include "frond/frond.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

/// The program itself where StarPU is linked into it.
std::string starpu_file() {
    void* const function = dlsym(RTLD_DEFAULT, "starpu_task_submit");
    Dl_info info{};
    return function != nullptr && dladdr(function, &info) != 0 ? info.dli_fname : "/proc/self/exe";
}

bool is_of_name(char c) {
    const auto letter = static_cast<unsigned char>(c);
    return std::isupper(letter) != 0 || std::isdigit(letter) != 0 || c == '_';
}

/// Every text STARPU_... of capitals that ends with a zero byte, as the argument of a getenv() does.
std::set<std::string> names_in(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::set<std::string> names;
    for (std::size_t at = 0; (at = bytes.find("STARPU_", at)) != std::string::npos;) {
        std::size_t end = at;
        while (end < bytes.size() && is_of_name(bytes[end])) ++end;
        if (end < bytes.size() && bytes[end] == '\0' && at > 0 && bytes[at - 1] == '\0')
            names.insert(bytes.substr(at, end - at));
        at = end;
    }
    return names;
}

/// In a process of its own, since StarPU remembers some of what it has read: 0 without an abort.
int start_session_under(const std::string& name) {
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);  // not doctest's handler, which tells of the parent's test
        setenv(name.c_str(), "abc", 1);
        try {
            static_cast<void>(Session(SessionOptions{.cpu_workers = 1}).info());  // starts StarPU
        } catch (const Error&) {  // is as good
        }
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return status;
}

}  // namespace

TEST_CASE("in a child: each variable of StarPU set to what is no number" * doctest::skip()) {
    const std::set<std::string> names = names_in(starpu_file());
    REQUIRE(names.size() > 50);
    REQUIRE(names.contains("STARPU_NCPU"));
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("frond-variables-" + std::to_string(getpid()));
    fs::create_directory(folder);
    fs::current_path(folder);  // StarPU may take "abc" for the name of a folder that it makes
    for (const std::string& name : names) {
        CAPTURE(name);
        CHECK(start_session_under(name) == 0);
    }
    fs::current_path("/");
    fs::remove_all(folder);
}

TEST_CASE("no variable of StarPU ends the process when it is no number") {
    CHECK(run_case_in_child("in a child: each variable of StarPU set to what is no number", {}, 600) == 0);
}
