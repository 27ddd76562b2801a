// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/hardware.hpp"
#include "system_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace frond;
using frond::test::SystemFolder;

namespace {

constexpr count_t unlimited = std::numeric_limits<count_t>::max();
const std::string no_limit_1 = "9223372036854771712\n";  // what version 1 writes

SystemFolder& version_2(SystemFolder& s, const std::string& group) {
    return s.write("/proc/self/cgroup", "0::" + group + "\n")
        .write("/proc/self/mountinfo",
               "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
               "31 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
}

SystemFolder& version_1(SystemFolder& s, const std::string& memory_group, const std::string& cpu_group,
                        const std::string& root = "/") {
    return s
        .write("/proc/self/cgroup", "9:memory:" + memory_group + "\n4:cpu,cpuacct:" + cpu_group +
                                        "\n3:cpuset:/\n1:name=systemd:/user.slice\n0::/user.slice\n")
        .write("/proc/self/mountinfo",
               "32 31 0:29 " + root + " /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" +
                   "33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n" + "35 31 0:32 " + root +
                   " /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
                   "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
}

}  // namespace

TEST_CASE("without control groups nothing is limited") {
    SystemFolder s;
    CHECK(control_group_free_bytes(s.path()) == unlimited);
    CHECK(std::isinf(control_group_cores(s.path())));
    version_2(s, "/");  // files of the root group do not exist
    CHECK(control_group_free_bytes(s.path()) == unlimited);
    CHECK(std::isinf(control_group_cores(s.path())));
}

TEST_CASE("version 2: the tightest group on the way up counts, as Slurm nests them") {
    SystemFolder s;
    const std::string top = "/sys/fs/cgroup";
    const std::string job = top + "/system.slice/slurmstepd.scope/job_7", step = job + "/step_0/user/task_0";
    version_2(s, "/system.slice/slurmstepd.scope/job_7/step_0/user/task_0");
    s.write(step + "/memory.max", "max\n")
        .write(step + "/memory.current", "1000\n")
        .write(step + "/cpu.max", "max 100000\n");
    CHECK(control_group_free_bytes(s.path()) == unlimited);
    s.write(job + "/memory.max", "50000\n").write(job + "/memory.current", "20000\n");
    s.write(job + "/cpu.max", "350000 100000\n");
    CHECK(control_group_free_bytes(s.path()) == 30000);
    CHECK(control_group_cores(s.path()) == 3.5);
    s.write(top + "/system.slice/memory.max", "90000\n").write(top + "/system.slice/memory.current", "65000\n");
    s.write(top + "/system.slice/cpu.max", "150000 50000\n");
    CHECK(control_group_free_bytes(s.path()) == 25000);
    CHECK(control_group_cores(s.path()) == 3);
    s.write(top + "/other.slice/memory.max", "10\n").write(top + "/other.slice/memory.current", "1\n");
    CHECK(control_group_free_bytes(s.path()) == 25000);
}

TEST_CASE("version 2: memory.high limits as memory.max does") {
    SystemFolder s;
    version_2(s, "/user.slice/user-1000.slice");
    const std::string slice = "/sys/fs/cgroup/user.slice/user-1000.slice";
    s.write(slice + "/memory.max", "9000\n")
        .write(slice + "/memory.high", "7000\n")
        .write(slice + "/memory.current", "500\n");
    CHECK(control_group_free_bytes(s.path()) == 6500);
}

TEST_CASE("page cache and slabs that can be reclaimed do not count as used") {
    SystemFolder s;
    version_2(s, "/a");
    s.write("/sys/fs/cgroup/a/memory.max", "10000\n").write("/sys/fs/cgroup/a/memory.current", "9500\n");
    s.write("/sys/fs/cgroup/a/memory.stat",
            "anon 2000\nfile 6900\nshmem 400\ninactive_file 4000\nactive_file 2500\nunevictable "
            "100\nslab_reclaimable 300\n"
            "slab_unreclaimable 200\n");
    CHECK(control_group_free_bytes(s.path()) == 10000 - (9500 - 6800));
    s.write("/sys/fs/cgroup/a/memory.current", "16900\n");  // above a limit that was lowered
    CHECK(control_group_free_bytes(s.path()) == 0);
}

TEST_CASE("version 1: limits, quotas and the cache of groups below") {
    SystemFolder s;
    version_1(s, "/slurm/uid_5/job_7/step_0", "/slurm/job_7");
    const std::string memory = "/sys/fs/cgroup/memory/slurm/uid_5", cpu = "/sys/fs/cgroup/cpu,cpuacct/slurm";
    s.write(memory + "/job_7/step_0/memory.limit_in_bytes", no_limit_1)
        .write(memory + "/job_7/step_0/memory.usage_in_bytes", "10\n");
    s.write(memory + "/job_7/memory.limit_in_bytes", "40000\n")
        .write(memory + "/job_7/memory.usage_in_bytes", "30000\n");
    s.write(memory + "/job_7/memory.stat",
            "cache 0\ninactive_file 1\nactive_file "
            "2\ntotal_inactive_file 9000\ntotal_active_file 500\n");
    s.write(cpu + "/job_7/cpu.cfs_quota_us", "-1\n").write(cpu + "/job_7/cpu.cfs_period_us", "100000\n");
    CHECK(control_group_free_bytes(s.path()) == 19500);
    CHECK(std::isinf(control_group_cores(s.path())));
    s.write(cpu + "/cpu.cfs_quota_us", "200000\n").write(cpu + "/cpu.cfs_period_us", "100000\n");
    CHECK(control_group_cores(s.path()) == 2);
}

TEST_CASE("a container that sees a part of the hierarchy finds its limits at the mount point") {
    SystemFolder s;
    for (const char* group : {"/docker/ab12", "/", "/../../docker/ab12"}) {
        CAPTURE(group);
        version_1(s, group, group, "/docker/ab12");
        s.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "8000\n")
            .write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
        s.write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n")
            .write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        CHECK(control_group_free_bytes(s.path()) == 7000);
        CHECK(control_group_cores(s.path()) == 0.5);
    }
    // Names that only begin alike are not below it.
    version_1(s, "/docker/ab123", "/docker/ab12/inner", "/docker/ab12");
    s.write("/sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us", "25000\n")
        .write("/sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_period_us", "100000\n");
    CHECK(control_group_free_bytes(s.path()) == 7000);
    CHECK(control_group_cores(s.path()) == 0.25);
}

TEST_CASE("a mount point with a space, and a process in a group that is not shown") {
    SystemFolder s;
    s.write("/proc/self/cgroup", "0::/hidden/group\n");
    s.write("/proc/self/mountinfo", "31 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
    s.write("/my groups/memory.max", "600\n").write("/my groups/memory.current", "100\n");
    CHECK(control_group_free_bytes(s.path()) == 500);
}

TEST_CASE("a quota of processor time bounds the usable cores, to the nearest number and at least 1") {
    SystemFolder s;
    version_2(s, "/a");
    const index_t all = usable_cores(s.path());
    REQUIRE(all > 0);
    const auto with_quota = [&s](const std::string& quota) {
        s.write("/sys/fs/cgroup/a/cpu.max", quota + " 100000\n");
        return usable_cores(s.path());
    };
    CHECK(with_quota("max") == all);
    CHECK(with_quota("1000") == 1);
    CHECK(with_quota("140000") == 1);
    CHECK(with_quota("160000") == std::min<index_t>(all, 2));
    CHECK(with_quota("99900000000") == all);
}
