// SPDX-License-Identifier: BSD-3-Clause
// A folder for files that a library insists on writing.
#pragma once

#include <string>
#include <vector>

namespace frond::detail {

/// A new folder that only this process' user may enter, with room for some files; the destructor
/// removes it with what is in it.
class PrivateFolder {
public:
    /// In the first of `parents` where files can be written.
    /// @throws RuntimeError  none will do; the message says of each why not
    explicit PrivateFolder(const std::vector<std::string>& parents);
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    ~PrivateFolder();

    const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

/// Where temporary files may go, the likeliest first: $TMPDIR, $XDG_RUNTIME_DIR, /tmp, /dev/shm,
/// /var/tmp, and the folder that the process is in.
std::vector<std::string> temporary_folders();

}  // namespace frond::detail
