// SPDX-License-Identifier: BSD-3-Clause
// Files of matrices and analyses of which some bytes are others, most of them zero.
#include "frond/analysis/analysis.hpp"
#include "frond/analysis/analysis_file.hpp"
#include "frond/base/printable.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "mutated_files.hpp"
#include "saved_analysis.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr const char* mutated_complex =
    "%%MatrixMarket matrix coordinate complex hermitian\n% a comment\n3 3 5\n1 1 4 0\n2 1 1.5 -2e-3\n"
    "2 2 5 0\n3 2 1D0 7\n3 3 -6.25E+1 0\n";
constexpr const char* mutated_integers = "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 3 17\n2 1 -4\n";
constexpr const char* mutated_array =
    "%%MatrixMarket matrix array real symmetric\n3 3\n1\n.5\n0\n2e0\n-1\n123456789012345678901\n";

}  // namespace

TEST_CASE("a mutated Matrix Market file is read or refused") {
    for (const char* text : {mutated_complex, mutated_integers, mutated_array})
        check_mutations(text, ".mtx", [](const std::string& path) {
            InputReport report;
            read_matrix(path, &report);
            read_any_dense<float>(path);
        });
}

TEST_CASE("a mutated Rutherford-Boeing file is read or refused") {
    check_mutations(bytes_of(FROND_TEST_DATA "/rutherford_boeing/lfat5_with_rhs.rsa"), ".rsa",
                    [](const std::string& path) {
                        read_matrix(path);
                        read_rutherford_boeing<double>(path);
                    });
}

TEST_CASE("a mutated compressed file is read or refused") {
    for (const char* name : {"lap_25.mtx.xz", "lap_25.mtx.zst"})
        check_mutations(bytes_of(std::string(FROND_TEST_DATA "/compressed/") + name), ".mtx",
                        [](const std::string& path) { read_matrix(path); });
    check_mutations(bytes_of(FROND_TEST_DATA "/cage5.mtx.gz"), ".mtx",
                    [](const std::string& path) { read_matrix(path); });
}

TEST_CASE("a mutated analysis is loaded or refused, also where its checksum is right") {
    const TemporaryFile saved(".analysis");
    save_analysis(*analyze(poisson2d<double>(5).matrix, AnalysisOptions{}).analysis, saved.path());
    check_mutations(bytes_of(saved.path()), ".analysis", [](const std::string& path) {
        std::string bytes = bytes_of(path);
        if (bytes.size() > 16) forge_checksum(bytes);
        write_bytes(path, bytes);
        load_analysis(path);
    });
}

TEST_CASE("what a terminal would obey is '?' in messages") {
    CHECK(printable("a\033[31m\r\x07\x7f b\tc\n") == "a?[31m??? b\tc\n");
    CHECK(printable(std::string_view("\0x", 2)) == "?x");
    CHECK(printable("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80") == "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    // A control character of two bytes, characters in more bytes than they need, ends that are missing.
    CHECK(printable("\xc2\x9b"
                    "2J") == "??2J");
    CHECK(printable("\xc0\x9b \xe0\x80\x9b \xf0\x80\x80\x9b") == "?? ??? ????");
    CHECK(printable("\xe2\x82") == "??");
    CHECK(printable("\xff\xe2"
                    "a") == "??a");
    CHECK(std::string(InvalidArgument("x\033y\nz").what()) == "x?y z");
}
