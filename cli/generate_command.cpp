// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"
#include "exit_code.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/matrix_market.hpp"
#include "arguments/output_paths.hpp"

namespace frond::cli {

int generate_command(const CommandLine& line) {
    const GeneratorRequest request = parse_generator(line.kind, line.size);
    expect_writable_file(line.output_file);
    const std::vector<std::string> comments{
        "frond generate " + line.kind + " " + line.size,
        generator_info(request.kind).description,
    };
    std::visit([&](const auto& made) { write_matrix_market(line.output_file, made.matrix, comments); },
               generate(request));
    return solved;
}

}  // namespace frond::cli
