// SPDX-License-Identifier: BSD-3-Clause
// Mutated files of the program, and values of options.
#include "arguments/user_order.hpp"
#include "dense/dense_problem.hpp"
#include "frond/option_table.hpp"
#include "frond/tuning.hpp"
#include "mutated_files.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

TEST_CASE("a mutated tuning is taken or refused") {
    Tuning tuning;
    tuning.machine = {"AMD EPYC 9755", 16, "NVIDIA H200", 2};
    tuning.workers = 15;
    check_mutations(text_of_tuning(tuning), ".json", [](const std::string& path) { read_tuning(path); });
}

TEST_CASE("a mutated NumPy file is read or refused") {
    std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }";
    header.resize(117, ' ');
    const std::string text = std::string("\x93NUMPY\x01\0v\0", 10) + header + "\n" + std::string(31, '\1');
    check_mutations(text, ".npy", [](const std::string& path) {
        if (cli::is_numpy_file(path))
            cli::read_numpy(path, {});
        else
            cli::load_dense_problem(path, "", cli::Precision::double_precision);
    });
}

TEST_CASE("a NumPy file that promises 2^64 bytes is refused") {
    std::string header = "{'descr': '<c16', 'fortran_order': False, 'shape': (1073741824, 1073741824), }";
    header.resize(117, ' ');
    const TemporaryFile file(".npy", std::string("\x93NUMPY\x01\0v\0", 10) + header + "\n");
    CHECK_THROWS_WITH_AS(cli::read_numpy(file.path(), {}),
                         doctest::Contains("0 bytes of numbers where the header promises"), InvalidMatrix);
}

TEST_CASE("a mutated order of elimination is read or refused") {
    check_mutations("%%MatrixMarket matrix array integer general\n4 1\n3\n1 4\n2\n", ".txt",
                    [](const std::string& path) { cli::read_user_order(path, 4); });
}

TEST_CASE("mutated options are taken or refused") {
    check_mutations(
        "ordering=metis tile_size=256 memory_budget_bytes=1GiB grid=2x3x4 null_pivot_tolerance=1e-3 matching=off",
        ".txt", [](const std::string& path) {
            std::ifstream file(path, std::ios::binary);
            Options options;
            set_options(options, std::string(std::istreambuf_iterator<char>(file), {}));
        });
}
