// SPDX-License-Identifier: BSD-3-Clause
#include "load_matrix.hpp"
#include "measurement.hpp"
#include "run/new_values.hpp"

#include <stdexcept>

namespace frond::bench {

std::vector<std::string> arguments_of(const RunRequest& r) {
    return {r.solver,
            r.matrix,
            to_string(r.mode),
            std::to_string(r.threads),
            std::to_string(r.analyses),
            std::to_string(r.factorizations),
            r.values,
            std::to_string(r.rhs),
            r.single ? "single" : "double",
            r.order_of};
}

RunRequest request_of(const std::vector<std::string>& arguments) {
    RunRequest r;
    r.solver = arguments.at(0);
    r.matrix = arguments.at(1);
    r.mode = mode_from_string(arguments.at(2));
    r.threads = std::stoi(arguments.at(3));
    r.analyses = std::stoi(arguments.at(4));
    r.factorizations = std::stoi(arguments.at(5));
    r.values = arguments.at(6);
    r.rhs = std::stoi(arguments.at(7));
    r.single = arguments.at(8) == "single";
    r.order_of = arguments.at(9);
    return r;
}

std::string solver_name(const std::string& solver) { return solver.substr(0, solver.find(':')); }

const char* to_string(Mode mode) {
    return mode == Mode::definite ? "definite" : mode == Mode::symmetric ? "symmetric" : "general";
}

Mode mode_from_string(const std::string& text) {
    for (const Mode m : {Mode::definite, Mode::symmetric, Mode::general})
        if (text == to_string(m)) return m;
    throw std::runtime_error("mode '" + text + "': definite, symmetric or general");
}

Mode natural_mode(const std::string& name, const std::string& values) {
    const bool stays_definite = values != cli::to_string(cli::ValueChange::factors);
    return std::visit(
        [&](const auto& a) {
            if (a.symmetry == Symmetry::general) return Mode::general;
            return stays_definite && may_be_definite(a) ? Mode::definite : Mode::symmetric;
        },
        load_matrix(name));
}

}  // namespace frond::bench
