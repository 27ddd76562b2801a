// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/trace_lines.hpp"

#include "arguments/input_paths.hpp"

#include <cerrno>
#include <cstring>

namespace frond::cli {

TraceLines::TraceLines(const std::string& file) : file_(file), buffer_(std::size_t{1} << 20) {
    stream_.rdbuf()->pubsetbuf(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    stream_.open(file_);
    if (!stream_)
        throw path_error(file_, std::string("cannot be read: ") + std::strerror(errno), "trace the run again");
}

bool TraceLines::next() {
    ++number_;
    if (std::getline(stream_, line_)) return true;
    if (stream_.bad()) throw RuntimeError(file_ + ": cannot be read: " + std::strerror(errno) + "; check the disk");
    return false;
}

void TraceLines::refuse(std::string_view found, const std::string& wanted) const {
    throw path_error(file_, "line " + std::to_string(number_) + ": '" + std::string(found) + "' is not " + wanted,
                     "give a trace that starpu_fxt_tool of StarPU 1.4 has converted");
}

}  // namespace frond::cli
