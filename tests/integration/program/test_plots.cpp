// SPDX-License-Identifier: BSD-3-Clause
#include "run_program.hpp"
#include "xml_check.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace frond::test;
namespace fs = std::filesystem;

namespace {

// A folder that does not exist yet, removed at the end.
class PlotFolder {
public:
    PlotFolder()
        : path_(fs::temp_directory_path() / ("frond-plots-" + std::to_string(std::random_device{}()) + "/below")) {}

    PlotFolder(const PlotFolder&) = delete;
    PlotFolder& operator=(const PlotFolder&) = delete;

    ~PlotFolder() {
        std::error_code ignored;
        fs::remove_all(path_.parent_path(), ignored);
    }

    std::string path() const { return path_.string(); }

    std::string drawing(const std::string& name) const {
        std::ifstream in(path_ / name, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }

private:
    fs::path path_;
};

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

void check_drawing(const std::string& svg, const std::string& title) {
    CHECK(XmlCheck(svg).error() == "");
    CHECK(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0) == 0);
    CHECK(svg.find("<title>" + title) != std::string::npos);
    CHECK(svg.find("prefers-color-scheme") != std::string::npos);
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.size() < 400000);
}

}  // namespace

TEST_CASE("the checker finds broken drawings") {
    CHECK(XmlCheck("<a b=\"1\"><c/>x &amp; y</a>").error().empty());
    for (const char* broken :
         {"<a>", "<a></b>", "<a/><b/>", "<a>&</a>", "<a b=1/>", "<a b=\"<\"/>", "text", "<a b=\"1\" b=\"2\"/>", "<a"})
        CHECK(!XmlCheck(broken).error().empty());
}

TEST_CASE("solve draws pattern, tree and times") {
    const PlotFolder folder;
    const std::string name = "generate:poisson3d:12";
    REQUIRE(run_frond({"solve", name, "--plot", folder.path()}).exit_code == 0);
    const std::string pattern = folder.drawing("pattern.svg");
    check_drawing(pattern, "Sparsity pattern of " + name);
    CHECK(pattern.find("A as given: 11,232 entries") != std::string::npos);
    CHECK(pattern.find("A ordered by ") != std::string::npos);
    CHECK(pattern.find("factor L and its mirror image: ") != std::string::npos);

    const std::string tree = folder.drawing("tree.svg");
    check_drawing(tree, "Assembly tree of " + name);
    CHECK(count(tree, "<title>front ") >= 1);

    const std::string levels = folder.drawing("levels.svg");
    check_drawing(levels, "Factorization time by tree level: " + name);
    CHECK(levels.find(">roots<") != std::string::npos);
}

TEST_CASE("a large tree is cut and says so; a large pattern stays a small file") {
    const PlotFolder folder;
    REQUIRE(run_frond({"analyze", "generate:poisson2d:150", "--plot", folder.path()}).exit_code == 0);
    check_drawing(folder.drawing("pattern.svg"), "Sparsity pattern");
    const std::string tree = folder.drawing("tree.svg");
    check_drawing(tree, "Assembly tree");
    CHECK(count(tree, "<title>front ") == 150);
    CHECK(tree.find("The 150 costliest of") != std::string::npos);
    CHECK(!fs::exists(fs::path(folder.path()) / "levels.svg"));  // nothing was measured
}

TEST_CASE("a plan for several processes is drawn with the process of each front and of its tiles") {
    const PlotFolder folder;
    REQUIRE(run_frond({"analyze", "generate:poisson3d:24", "--workers", "2", "--ranks", "4", "--plot", folder.path()})
                .exit_code == 0);
    const std::string ranks = folder.drawing("ranks.svg");
    check_drawing(ranks, "generate:poisson3d:24 on 4 ranks");
    CHECK(count(ranks, "<title>front ") == 100);
    for (const char* rank : {"0", "1", "2", "3"}) {
        CAPTURE(rank);
        CHECK(ranks.find(" of rank " + std::string(rank) + ": order ") != std::string::npos);
        CHECK(ranks.find("class=\"rank" + std::string(rank) + "\"") != std::string::npos);
        CHECK(ranks.find(">rank " + std::string(rank) + "<") != std::string::npos);
    }
    CHECK(ranks.find("bytes sent") != std::string::npos);
    CHECK(count(ranks, "line thick") == 1);  // something travels
}

TEST_CASE("names are escaped, and tiny matrices can be drawn") {
    const PlotFolder folder;
    const fs::path odd = fs::temp_directory_path() / "frond <&\"odd\">.mtx";
    std::ofstream(odd) << "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n";
    CHECK(run_frond({"solve", odd.string(), "--plot", folder.path()}).exit_code == 0);
    fs::remove(odd);
    for (const char* drawing : {"pattern.svg", "tree.svg", "levels.svg"}) {
        CAPTURE(drawing);
        CHECK(XmlCheck(folder.drawing(drawing)).error() == "");
    }
}

TEST_CASE("a folder that cannot be made is refused before any work") {
    const Outcome outcome = run_frond({"analyze", "generate:poisson2d:9", "--plot", "/proc/no/such"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("/proc/no/such") != std::string::npos);
}
