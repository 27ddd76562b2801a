// SPDX-License-Identifier: BSD-3-Clause
// Files that must be refused with file, line and reason, and odd ones that must be read.
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>

using namespace frond;
using frond::test::TemporaryFile;
namespace fs = std::filesystem;

namespace {

const fs::path own_folder = fs::path(FROND_TEST_DATA) / "malformed";

struct Expected {
    count_t line;  // 0: the complaint is about the file as a whole
    const char* words;
};

/// Reads the file, expects InvalidMatrix, and gives it back.
InvalidMatrix refusal(const fs::path& path) {
    try {
        read_matrix(path.string());
    } catch (const InvalidMatrix& error) {
        return error;
    }
    FAIL("accepted: " << path.string());
    return InvalidMatrix("");
}

/// The folder under the one that FROND_MATRICES names, or empty when the variable is not set; then
/// it must be there and hold at least as many files as when this test was written.
fs::path shared_folder(const char* name, std::ptrdiff_t least_files) {
    const char* const root = std::getenv("FROND_MATRICES");
    if (root == nullptr || *root == '\0') return {};
    const fs::path path = fs::path(root) / "malformed" / name;
    CAPTURE(path.string());
    REQUIRE(fs::is_directory(path));
    REQUIRE(std::distance(fs::directory_iterator(path), fs::directory_iterator()) >= least_files);
    return path;
}

}  // namespace

TEST_CASE("every malformed file is refused at the right line for the right reason") {
    const std::map<std::string, Expected> expected{
        {"no_banner.mtx", {1, "no Matrix Market banner"}},
        {"banner_word_missing.mtx", {1, "five words"}},
        {"row_too_large.mtx", {5, "row index 3 exceeds the 2 rows"}},
        {"column_zero.mtx", {5, "column index 0 is below 1"}},
        {"too_few.mtx", {5, "2 of 3 entries"}},
        {"too_many.mtx", {5, "more than the 1 entries"}},
        {"not_a_number.mtx", {4, "not a number"}},
        {"infinite.mtx", {4, "not finite"}},
        {"too_large.mtx", {4, "larger than"}},
        {"both_of_symmetric.mtx",
         {5, "entry (1, 2) lies above the diagonal of a symmetric matrix, and that of line 4 below"}},
        {"hermitian_diagonal.mtx", {4, "must be real"}},
        {"hermitian_disagrees.mtx", {0, "entries (2, 1) = (1, 1)"}},
        {"skew_diagonal.mtx", {7, "more than the 3 entries"}},
        {"rectangular_symmetric.mtx", {3, "no symmetry"}},
        {"huge_promise.mtx", {4, "1 of 1000000000000000000 entries"}},
        {"huge_sizes.mtx", {0, "would be empty"}},
        {"too_many_rows.mtx", {3, "2147483647"}},
        {"huge_array.mtx", {4, "1 of 4000000000000000000 entries"}},
        {"value_missing.mtx", {4, "imaginary part is missing"}},
        {"value_extra.mtx", {4, "more numbers"}},
        {"integer_fraction.mtx", {4, "whole number"}},
        {"empty.mtx", {0, "empty"}},
        {"size_line_missing.mtx", {2, "size line"}},
        {"two_sizes.mtx", {3, "number of entries is missing"}},
    };
    std::set<std::string> seen;
    for (const fs::directory_entry& entry : fs::directory_iterator(own_folder)) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        REQUIRE(expected.count(name) == 1);
        seen.insert(name);
        const InvalidMatrix error = refusal(entry.path());
        const std::string text = error.what();
        CAPTURE(text);
        CHECK(error.line() == expected.at(name).line);
        CHECK(error.file() == entry.path().string());
        CHECK(text.find(expected.at(name).words) != std::string::npos);
        CHECK(text.rfind(entry.path().string() + ":", 0) == 0);
    }
    CHECK(seen.size() == expected.size());
}

TEST_CASE("all bad files of the shared folder are refused, each naming the file") {
    for (const fs::path& folder : {own_folder, shared_folder("bad", 81)}) {
        if (folder.empty()) continue;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            CAPTURE(entry.path().string());
            if (entry.path().filename() == "own_symmetric_upper.mtx") continue;  // read as what it is
            CHECK(std::string(refusal(entry.path()).what()).find(entry.path().filename().string()) !=
                  std::string::npos);
        }
    }
}

TEST_CASE("all odd but valid files of the shared folder are read") {
    const fs::path folder = shared_folder("odd-but-valid", 40);
    const fs::path plain = fs::path(FROND_TEST_DATA);
    int read = 0;
    for (const fs::path& root : {plain, folder}) {
        if (root.empty()) continue;
        for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
            const std::string name = entry.path().filename().string();
            if (!entry.is_regular_file() || name.find(".mtx") == std::string::npos) continue;
            CAPTURE(name);
            CHECK_NOTHROW(read_matrix(entry.path().string()));
            ++read;
        }
    }
    CHECK(read >= 11);
}

TEST_CASE("the upper triangle of a symmetric file is read as what it is") {
    const auto read = [](const std::string& head, const std::string& lines) {
        const TemporaryFile file(".mtx", "%%MatrixMarket matrix coordinate " + head + "\n" + lines);
        InputReport report;
        std::visit([&](const auto& a) { CHECK(a.entries() >= 2); }, read_matrix(file.path(), &report));
        CHECK(report.mirrored_upper);
        CHECK(report.one_triangle == Triangle::both);
        const TemporaryFile copy(".mtx", "%%MatrixMarket matrix coordinate " + head + "\n" + lines);
        return read_matrix(copy.path());
    };
    const auto symmetric = std::get<0>(read("real symmetric", "2 2 3\n1 1 2\n1 2 -1\n2 2 3\n"));
    CHECK(symmetric.value == std::vector<double>{2, -1, 3});
    CHECK(symmetric.symmetry == Symmetry::symmetric);
    const auto skew = std::get<0>(read("real skew-symmetric", "2 2 1\n1 2 5\n"));
    CHECK(skew.value == std::vector<double>{-5, 5});  // a_21 = -a_12
    const auto hermitian = std::get<1>(read("complex hermitian", "2 2 3\n1 1 2 0\n1 2 -1 4\n2 2 3 0\n"));
    CHECK(hermitian.value == std::vector<std::complex<double>>{{2, 0}, {-1, -4}, {3, 0}});
    const TemporaryFile later(".mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 3 1\n3 2 1\n");
    const InvalidMatrix error = refusal(later.path());
    CHECK(error.line() == 4);
    CHECK(std::string(error.what())
              .find("(3, 2) lies below the diagonal of a symmetric matrix, and that of line 3 above") !=
          std::string::npos);
}

TEST_CASE("a general matrix that is one triangle is told") {
    const auto found = [](const std::string& lines) {
        const TemporaryFile file(".mtx", "%%MatrixMarket matrix coordinate real general\n" + lines);
        InputReport report;
        read_matrix(file.path(), &report);
        CHECK_FALSE(report.mirrored_upper);
        return report.one_triangle;
    };
    CHECK(found("2 2 3\n1 1 1\n2 1 1\n2 2 1\n") == Triangle::lower);
    CHECK(found("3 3 1\n1 3 1\n") == Triangle::upper);
    CHECK(found("2 2 2\n1 1 1\n2 2 1\n") == Triangle::both);
    CHECK(found("2 2 2\n1 2 1\n2 1 1\n") == Triangle::both);
    CHECK(found("2 3 1\n1 2 1\n") == Triangle::both);
    const std::vector<std::int32_t> row{0, 1, 1}, column{0, 0, 1};
    const std::vector<double> value{2, -1, 2};
    TripletView<double> view;
    view.rows = view.cols = 2;
    view.entries = 3;
    view.row = row.data();
    view.column = column.data();
    view.value = value.data();
    InputReport report;
    make_sparse(view, &report);
    CHECK(report.one_triangle == Triangle::lower);
    view.symmetry = Symmetry::symmetric;
    CHECK_THROWS_WITH_AS(make_sparse(view), doctest::Contains("give one triangle alone and say which"), InvalidMatrix);
    view.stored = Triangle::lower;
    make_sparse(view, &report);
    CHECK(report.one_triangle == Triangle::both);
}
