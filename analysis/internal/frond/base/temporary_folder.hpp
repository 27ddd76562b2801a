// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace frond {

/// Where temporary files may go, the likeliest first: $TMPDIR, $XDG_RUNTIME_DIR, /tmp, /dev/shm,
/// /var/tmp, and the folder that the process is in.
std::vector<std::string> temporary_folders();

/// A new folder that only this process' user may enter, with room for some files; the destructor
/// removes it with what is in it.
class TemporaryFolder {
public:
    /// In the first of `parents` where files can be written. begin: of its name. purpose: what is to be in it, as
    /// messages name it.
    /// @throws RuntimeError  none will do; the message says of each why not
    TemporaryFolder(const std::string& begin, const std::string& purpose,
                    const std::vector<std::string>& parents = temporary_folders());
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    const std::string& path() const noexcept { return path_; }

private:
    std::string why_not_made(std::string name);
    void remove() noexcept;

    std::string path_;
};

/// Waits until there is none, and lets no other one come: for who then ends the process without destructors.
void stop_temporary_folders();

}  // namespace frond
