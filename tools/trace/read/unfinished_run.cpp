// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/unfinished_run.hpp"

#include "frond/base/error.hpp"

#include <fstream>
#include <sstream>

namespace frond::cli {
namespace {

constexpr std::string_view mark = "# frond: the run ended before its end; tasks after that did nothing\n";

}  // namespace

void mark_unfinished(const std::string& file) {
    std::ofstream stream(file, std::ios::binary | std::ios::app);
    if (!(stream << '\n' << mark) || !stream.flush())
        throw RuntimeError(file + ": it cannot grow; make room on its disk");
}

bool is_unfinished(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream.seekg(-static_cast<std::streamoff>(mark.size()), std::ios::end)) return false;
    std::ostringstream end;
    end << stream.rdbuf();
    return end.str() == mark;
}

}  // namespace frond::cli
