// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/hardware.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace frond {
namespace {

constexpr count_t unlimited_bytes = std::numeric_limits<count_t>::max();

/// One hierarchy of groups and where this process stands in it.
struct Hierarchy {
    bool version_1 = false;
    std::string mount_point;
    std::string group;  // below mount_point: "" or "/a/b"
};

bool lists(const std::string& names, const std::string& name) {
    return ("," + names + ",").find("," + name + ",") != std::string::npos;
}

bool is_below(const std::string& path, const std::string& folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// mountinfo writes a space as \040, and other separators likewise.
std::string unescaped(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '\\' && i + 3 < text.size() &&
                            std::all_of(&text[i + 1], &text[i + 4], [](char c) { return c >= '0' && c <= '7'; });
        plain += escape ? static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + text[i + 3] - '0')
                        : text[i];
        if (escape) i += 3;
    }
    return plain;
}

/// The group that /proc/self/cgroup names for a controller ("number:controllers:/group",
/// "0::/group" in version 2). False: none.
bool find_group(const std::string& system_folder, const std::string& controller, bool version_1, std::string& group) {
    std::ifstream file(system_folder + "/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (version_1 ? !lists(controllers, controller) : !controllers.empty()) continue;
        group = line.substr(second + 1);
        return true;
    }
    return false;
}

/// Takes the mount of one line of /proc/self/mountinfo if it shows this hierarchy: "36 35 98:0
/// /root /mount_point options [tags] - type source super_options". A container may see a part of
/// the hierarchy only, from `root` down, or names that are relative to a root of its own; where the
/// group is not below `root`, the mount point stands for it.
bool take_mount(const std::string& line, const std::string& controller, const std::string& group, Hierarchy& found) {
    const std::size_t separator = line.find(" - ");
    if (separator == std::string::npos) return false;
    std::istringstream before(line.substr(0, separator)), after(line.substr(separator + 3));
    std::string skipped, root, mount_point, type, options;
    before >> skipped >> skipped >> skipped >> root >> mount_point;
    after >> type >> skipped >> options;
    if (found.version_1 ? type != "cgroup" || !lists(options, controller) : type != "cgroup2") return false;
    root = root == "/" ? "" : unescaped(root);
    found.mount_point = unescaped(mount_point);
    const bool visible = is_below(group, root) && group.find("/..") == std::string::npos;
    found.group = visible ? group.substr(root.size()) : "";
    return true;
}

/// The hierarchies of both versions that may limit what the controller counts.
std::vector<Hierarchy> hierarchies(const std::string& system_folder, const std::string& controller) {
    std::vector<Hierarchy> all;
    for (const bool version_1 : {false, true}) {
        Hierarchy h{version_1, {}, {}};
        std::string group;
        if (!find_group(system_folder, controller, version_1, group)) continue;
        std::ifstream file(system_folder + "/proc/self/mountinfo");
        for (std::string line; std::getline(file, line);)
            if (take_mount(line, controller, group, h)) {
                h.mount_point = system_folder + h.mount_point;
                all.push_back(h);
                break;
            }
    }
    return all;
}

/// The control groups of this process, found once a thread, and anew in a child of fork(): whoever moves a process to
/// another group does so before its work.
std::vector<Hierarchy> own_hierarchies(const std::string& controller) {
    static thread_local bool has_ended = false;  // the thread: objects of the application may still be destroyed
    struct Known {
        pid_t process = 0;
        std::map<std::string, std::vector<Hierarchy>> of_controller;
        ~Known() { has_ended = true; }
    };
    thread_local Known known;
    if (has_ended) return hierarchies("", controller);
    if (known.process != getpid()) known = {getpid(), {}};
    const auto found = known.of_controller.find(controller);
    if (found != known.of_controller.end()) return found->second;
    return known.of_controller[controller] = hierarchies("", controller);
}

/// visit(version_1, folder) for the group of this process and all above it, up to the mount point.
void for_each_group(const std::string& system_folder, const std::string& controller,
                    const std::function<void(bool, const std::string&)>& visit) {
    for (Hierarchy h : system_folder.empty() ? own_hierarchies(controller) : hierarchies(system_folder, controller)) {
        while (true) {
            visit(h.version_1, h.mount_point + h.group);
            if (h.group.empty()) break;
            h.group.resize(h.group.find_last_of('/'));
        }
    }
}

/// The first number of a file; false without the file or where a word ("max") stands instead.
bool read_number(const std::string& path, count_t& number) {
    std::ifstream file(path);
    return static_cast<bool>(file >> number);
}

/// What the kernel takes back before it refuses memory: file pages and slabs. Pages of tmpfs are no
/// file pages here.
count_t reclaimable_bytes(bool version_1, const std::string& folder) {
    std::ifstream file(folder + "/memory.stat");
    std::string key;
    count_t value = 0, sum = 0;
    // Version 1 counts the group alone in inactive_file, the groups below as well in
    // total_inactive_file.
    const std::string prefix = version_1 ? "total_" : "";
    while (file >> key >> value)
        if (key == prefix + "inactive_file" || key == prefix + "active_file" || key == prefix + "slab_reclaimable")
            sum += value;
    return sum;
}

count_t free_bytes(bool version_1, const std::string& folder) {
    count_t limit = unlimited_bytes, used = 0;
    // Above memory.high the kernel does not refuse, but slows the process down until it has shrunk.
    for (const char* name : {"memory.max", "memory.high", "memory.limit_in_bytes"}) {
        count_t bytes = 0;
        if (read_number(folder + "/" + name, bytes)) limit = std::min(limit, bytes);
    }
    if (limit == unlimited_bytes) return limit;
    if (!read_number(folder + (version_1 ? "/memory.usage_in_bytes" : "/memory.current"), used)) return unlimited_bytes;
    used = std::max<count_t>(used - reclaimable_bytes(version_1, folder), 0);
    return std::max<count_t>(limit - used, 0);
}

double cores(bool version_1, const std::string& folder) {
    count_t quota = 0, period = 0;
    if (version_1) {
        if (!read_number(folder + "/cpu.cfs_quota_us", quota) || !read_number(folder + "/cpu.cfs_period_us", period))
            return std::numeric_limits<double>::infinity();
    } else {
        std::ifstream file(folder + "/cpu.max");
        if (!(file >> quota >> period)) return std::numeric_limits<double>::infinity();
    }
    if (quota <= 0 || period <= 0) return std::numeric_limits<double>::infinity();  // -1: no quota
    return static_cast<double>(quota) / static_cast<double>(period);
}

}  // namespace

count_t control_group_free_bytes(const std::string& system_folder) {
    count_t least = unlimited_bytes;
    for_each_group(system_folder, "memory", [&least](bool version_1, const std::string& folder) {
        least = std::min(least, free_bytes(version_1, folder));
    });
    return least;
}

double control_group_cores(const std::string& system_folder) {
    double least = std::numeric_limits<double>::infinity();
    for_each_group(system_folder, "cpu", [&least](bool version_1, const std::string& folder) {
        least = std::min(least, cores(version_1, folder));
    });
    return least;
}

}  // namespace frond
