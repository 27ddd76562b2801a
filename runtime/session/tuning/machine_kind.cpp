// SPDX-License-Identifier: BSD-3-Clause
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "frond/base/hardware.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/tuning.hpp"

namespace frond {
namespace {

/// The system's first card of the vendor that this build drives.
std::string model_of_card() {
    const DeviceVendor vendor = gpu::vendor_of_build();
    if (vendor == DeviceVendor::emulated) return "emulated";
    const std::string_view name = vendor == DeviceVendor::amd ? "AMD" : "NVIDIA";
    for (const Gpu& gpu : find_gpus())
        if (gpu.vendor == name) return gpu.name;
    return "unknown";
}

/// Small letters and digits; a hyphen for all that is between them.
std::string file_word(std::string_view text) {
    std::string word;
    for (const char letter : text) {
        const auto c = static_cast<unsigned char>(letter);
        if (std::isalnum(c) != 0 && c < 128) {
            word += static_cast<char>(std::tolower(c));
        } else if (!word.empty() && word.back() != '-') {
            word += '-';
        }
    }
    while (!word.empty() && word.back() == '-') word.pop_back();
    return word.empty() ? "unknown" : word;
}

std::string counted_word(index_t count, const std::string& word) {
    return std::string("-") + std::to_string(count) + "-" + word + (count == 1 ? "" : "s");
}

/// An absolute path in a variable, as the specification of such folders asks for.
std::string absolute_path_in(const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && *value == '/' ? value : "";
}

}  // namespace

MachineKind machine_kind(index_t cards) {
    MachineKind kind{processor_name(), usable_cores(), "", cards};
    if (cards > 0) kind.card = model_of_card();
    return kind;
}

std::string tuning_folder() {
    if (const std::string folder = absolute_path_in("XDG_CONFIG_HOME"); !folder.empty()) return folder + "/frond";
    const std::string home = absolute_path_in("HOME");
    return home.empty() ? "" : home + "/.config/frond";
}

std::string tuning_file_name(const MachineKind& machine) {
    std::string name = file_word(machine.processor) + counted_word(machine.cores, "core");
    if (machine.cards > 0) name += "-" + file_word(machine.card) + counted_word(machine.cards, "card");
    return name + ".json";
}

}  // namespace frond
