// SPDX-License-Identifier: BSD-3-Clause
// A file is whole or not there; what must not be replaced is written in place.
#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace frond;
using namespace frond::test;

namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

void write_all(const std::string& path, const std::string& text) {
    OutputFile file(path);
    file.write(text.data(), text.size());
    file.finish();
}

/// A folder of its own, so that nothing can stay behind unseen.
struct Folder {
    Folder() { fs::create_directory(file.path()); }

    ~Folder() { fs::remove_all(file.path()); }

    std::string operator/(const char* name) const { return file.path() + "/" + name; }

    long files() const { return std::distance(fs::directory_iterator(file.path()), fs::directory_iterator()); }

    TemporaryFile file{".folder"};
};

}  // namespace

TEST_CASE("a file appears when it is finished, and replaces the one that was there") {
    const Folder folder;
    const std::string path = folder / "x";
    {
        OutputFile file(path);
        file.write("half", 4);
        CHECK_FALSE(fs::exists(path));
    }
    CHECK(folder.files() == 0);
    write_all(path, "first");
    CHECK(content(path) == "first");
    REQUIRE(chmod(path.c_str(), 0640) == 0);
    {
        OutputFile file(path);
        file.write("half", 4);
    }
    CHECK(content(path) == "first");
    write_all(path, "second");
    CHECK(content(path) == "second");
    CHECK(folder.files() == 1);
    CHECK((fs::status(path).permissions() & fs::perms::all) == fs::perms{0640});
}

TEST_CASE("a symbolic link stays one") {
    const Folder folder;
    fs::create_symlink("there", folder / "link");
    write_all(folder / "link", "one");
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(content(folder / "there") == "one");
    write_all(folder / "link", "another");
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(content(folder / "there") == "another");
    CHECK(folder.files() == 2);
}

TEST_CASE("behind links to a file that is not there yet, that file is whole or not there") {
    const Folder folder;
    fs::create_directory(folder / "elsewhere");
    fs::create_symlink("elsewhere/second", folder / "first");
    fs::create_symlink("there", folder / "elsewhere/second");
    {
        OutputFile file(folder / "first");
        file.write("half", 4);
        CHECK_FALSE(fs::exists(folder / "elsewhere/there"));
    }
    CHECK(fs::is_symlink(folder / "first"));
    CHECK(std::distance(fs::directory_iterator(folder / "elsewhere"), fs::directory_iterator()) == 1);
    write_all(folder / "first", "whole");
    CHECK(content(folder / "elsewhere/there") == "whole");
    CHECK(fs::is_symlink(folder / "elsewhere/second"));
    CHECK(folder.files() == 2);
}

TEST_CASE("links that lead to each other are an error, and stay") {
    const Folder folder;
    fs::create_symlink("b", folder / "a");
    fs::create_symlink("a", folder / "b");
    CHECK_THROWS_AS(write_all(folder / "a", "text"), RuntimeError);
    CHECK(fs::is_symlink(folder / "a"));
    CHECK(fs::is_symlink(folder / "b"));
    CHECK(folder.files() == 2);
}

TEST_CASE("a pipe is written in place and stays a pipe") {
    const Folder folder;
    const std::string path = folder / "pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    write_all(path, "through");
    char text[16] = {};
    CHECK(read(reader, text, sizeof text) == 7);
    CHECK(std::string(text) == "through");
    close(reader);
    CHECK(fs::is_fifo(path));
    CHECK(folder.files() == 1);
}

TEST_CASE("the file behind a descriptor is neither opened anew nor cut") {
    const TemporaryFile log(".log", "before\n");
    const int descriptor = open(log.path().c_str(), O_WRONLY | O_APPEND);
    REQUIRE(descriptor >= 0);
    const std::string name = "/dev/fd/" + std::to_string(descriptor);
    CHECK(descriptor_of_output(name) == descriptor);
    write_all(name, "after\n");
    write_all("/proc/self/fd/" + std::to_string(descriptor), "at last\n");
    close(descriptor);
    CHECK(content(log.path()) == "before\nafter\nat last\n");
    CHECK_THROWS_AS(OutputFile{name}, RuntimeError);
}

TEST_CASE("names of descriptors") {
    CHECK(descriptor_of_output("-") == 1);
    CHECK(descriptor_of_output("/dev/stdout") == 1);
    CHECK(descriptor_of_output("/dev/stderr") == 2);
    CHECK(descriptor_of_output("/dev/fd/17") == 17);
    CHECK(descriptor_of_output("/proc/thread-self/fd/17") == 17);
    CHECK(descriptor_of_output("/proc/" + std::to_string(getpid()) + "/fd/17") == 17);
    const std::string of_another_process = "/proc/" + std::to_string(getppid()) + "/fd/1";
    for (const char* path :
         {"", "x", "./-", "/dev/fd/", "/dev/fd/1x", "/dev/fd/-1", "/dev/null", of_another_process.c_str()})
        CHECK(descriptor_of_output(path) == -1);
}

TEST_CASE("what cannot be written is an error that names the file") {
    const auto reason = [](const std::string& path) {
        try {
            write_all(path, "text");
        } catch (const RuntimeError& error) {
            return std::string(error.what());
        }
        return std::string("written");
    };
    CHECK(reason("/no/such/folder/x").find("/no/such/folder/x cannot be made: No such file") == 0);
    const Folder folder;
    CHECK(reason(folder.file.path()).find("cannot be made: Is a directory") != std::string::npos);
    CHECK(reason(folder / "") != "written");
    CHECK(folder.files() == 0);
    if (fs::exists("/dev/full")) CHECK(reason("/dev/full").find("/dev/full cannot be written: No space left") == 0);
}
