// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "temporary_file.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace frond::test {

/// A folder with models in which every kind of task does 10 Gflop/s after 5 us.
class SimulatedModels {
public:
    explicit SimulatedModels(bool of_card = false, double new_byte_seconds = 0, double submit_seconds = 1e-6) {
        std::filesystem::create_directory(folder_.path());
        nlohmann::json file = {{"processor", "none"}, {"date", "2026-11-24"}};
        for (const char* kind : {"task", "submit", "start", "system", "finish", "scaling", "scaling llt"})
            file["kinds"][kind] = {{"seconds", 1e-6}};
        file["kinds"]["submit"] = {{"seconds", submit_seconds}};
        for (const char* kind :
             {"factor_diagonal", "solve_panel", "factor_subtree", "accept_pivots", "gather_failed", "eliminate_failed"})
            for (const char* variant : {"llt", "ldlt", "lu", "lu upper"}) add(file, std::string(kind) + " " + variant);
        for (const char* variant : {"general", "transposed", "transposed ldlt", "lower", "lower same"})
            add(file, std::string("update_tile ") + variant);
        for (const char* variant : {"factors", "contribution"}) add(file, std::string("assemble_tile ") + variant);
        if (of_card) file["kinds"]["card factor_piece llt"] = {{"seconds", 0.5}, {"flop", 1e-9}};
        if (new_byte_seconds > 0) file["kinds"]["new memory"] = {{"seconds", 0}, {"byte", new_byte_seconds}};
        std::ofstream(folder_.path() + "/models.json") << file;
    }
    SimulatedModels(const SimulatedModels&) = delete;
    SimulatedModels& operator=(const SimulatedModels&) = delete;
    ~SimulatedModels() { std::filesystem::remove_all(folder_.path()); }
    const std::string& path() const { return folder_.path(); }

private:
    static void add(nlohmann::json& file, const std::string& kind) {
        file["kinds"][kind] = {{"seconds", 5e-6}, {"flop", 1e-10}};
    }

    TemporaryFile folder_{".models"};
};

/// The text of a machine file, with so many cards.
inline std::string machine_of_cores(int cores, int cards = 0, double link_bytes_per_second = 1e10) {
    nlohmann::json machine = {{"name", "m"}, {"cores", cores}, {"memory_bytes", 8'000'000'000}};
    if (cards > 0)
        machine["cards"].push_back({{"model", "x"},
                                    {"count", cards},
                                    {"memory_bytes", 20'000'000'000},
                                    {"link_bytes_per_second", link_bytes_per_second},
                                    {"link_seconds", 1e-5},
                                    {"product_flops", 1e13},
                                    {"product_source", "a guess"}});
    return machine.dump();
}

}  // namespace frond::test
