// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/simulation/simulated_session.hpp"

#include "frond/codelets/simulated_machine.hpp"

namespace frond::cli {
namespace {

/// What the machine says of the speed of its card, and the models of that of a core.
SimulatedHardware hardware_of(const SimulatedMachine& machine, const TimeModels& models) {
    SimulatedHardware hardware;
    hardware.cores = machine.cores;
    hardware.cards = machine.card_count();
    if (const auto product = models.find("update_tile general");
        product != models.end() && product->second.per_term[0] > 0)
        hardware.rates.core_product_flops = 1 / product->second.per_term[0];
    if (machine.cards.empty()) return hardware;
    const SimulatedCards& cards = machine.cards.front();
    hardware.card_memory_bytes = cards.memory_bytes;
    hardware.card_links = {cards.link_bytes_per_second, cards.link_seconds, cards.peer_bytes_per_second};
    hardware.rates.device_product_flops = cards.product_flops;
    hardware.rates.link_bytes = cards.link_bytes_per_second;
    return hardware;
}

}  // namespace

SessionOptions simulated_session(const CommandLine& line, const SimulatedMachine& machine, const ModelFile& models) {
    const TimeModels of_machine = at_speed(models.models, machine.core_speed);
    use_time_models(of_machine);
    use_simulated_hardware(hardware_of(machine, of_machine));
    SessionOptions options = line.options.session;
    expect_cores(machine, options.cpu_workers);
    const bool is_of_cores = machine.cards.empty() || options.gpus == 0;
    if (is_of_cores) options.gpus = 0;
    if (line.ranks > 0 && options.cpu_workers == 0)
        options.cpu_workers = machine.cores;  // less those of cards; without, the thread that submits takes none
    return options;
}

}  // namespace frond::cli
