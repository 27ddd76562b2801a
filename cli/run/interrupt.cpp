// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "frond/base/temporary_folder.hpp"
#include "run_error.hpp"
#include "terminal/terminal.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace frond::cli {
namespace {

// A signal handler can reach nothing but what is global; the atomic is lock-free.
std::atomic<bool> interrupted_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int signal) {
    interrupted_flag.store(true);
    std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interrupt_flag() noexcept { return interrupted_flag; }

void expect_no_interrupt() {
    if (interrupted_flag.load()) throw Cancelled("interrupted");
}

CatchInterrupts::CatchInterrupts()
    : interrupt_before_(std::signal(SIGINT, on_interrupt)), terminate_before_(std::signal(SIGTERM, on_interrupt)) {}

CatchInterrupts::~CatchInterrupts() {
    if (interrupt_before_ != SIG_ERR) std::signal(SIGINT, interrupt_before_);
    if (terminate_before_ != SIG_ERR) std::signal(SIGTERM, terminate_before_);
}

AwaitedReader::AwaitedReader(const std::string& file) {
    constexpr std::chrono::milliseconds between_tries(20);
    std::error_code ignored;
    if (descriptor_of_output(file) >= 0 || !std::filesystem::is_fifo(file, ignored)) return;
    while ((pipe_ = open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && (errno == ENXIO || errno == EINTR)) {
        expect_no_interrupt();
        std::this_thread::sleep_for(between_tries);
    }
}

AwaitedReader::~AwaitedReader() {
    if (pipe_ >= 0) close(pipe_);
}

namespace {

// A signal handler can reach nothing but what is global.
std::atomic<int> writing_end{-1};
static_assert(std::atomic<int>::is_always_lock_free);

// The second signal ends the process as usual.
extern "C" void on_signal(int signal) {
    const int before = errno;
    std::signal(signal, SIG_DFL);
    const char byte = 0;
    if (write(writing_end.load(), &byte, 1) != 1) raise(signal);
    errno = before;
}

/// Who started the process so that it ignores the signal, as nohup does, meant that.
auto handle(int signal) {
    const auto before = std::signal(signal, on_signal);
    if (before == SIG_IGN) std::signal(signal, SIG_IGN);
    return before;
}

void close_both(std::array<int, 2>& ends) noexcept {
    for (int& end : ends)
        if (end >= 0) close(std::exchange(end, -1));
}

}  // namespace

InterruptReport::InterruptReport(const CommandLine& line, Json known) : line_(line), known_(std::move(known)) {
    if (line.json_file.empty() || pipe2(pipe_.data(), O_CLOEXEC) != 0) return;
    try {
        thread_ = std::thread([this] { wait(); });
    } catch (const std::system_error&) {  // said at the declaration
        close_both(pipe_);
        return;
    }
    writing_end.store(pipe_[1]);
    interrupt_before_ = handle(SIGINT);
    terminate_before_ = handle(SIGTERM);
}

void InterruptReport::now_known(Json known) {
    const std::lock_guard lock(mutex_);
    known_ = std::move(known);
}

void InterruptReport::stop() noexcept {
    if (!thread_.joinable()) return;
    if (interrupt_before_ != SIG_ERR) std::signal(SIGINT, interrupt_before_);
    if (terminate_before_ != SIG_ERR) std::signal(SIGTERM, terminate_before_);
    close(std::exchange(pipe_[1], -1));  // ends the thread, unless a signal came
    thread_.join();
    close_both(pipe_);
}

void InterruptReport::wait() {
    char byte;
    ssize_t got;
    while ((got = read(pipe_[0], &byte, 1)) < 0 && errno == EINTR) {
    }
    if (got <= 0) return;
    const std::lock_guard lock(mutex_);
    try {
        throw Cancelled("interrupted");
    } catch (const Cancelled&) {
        write_error_json(line_, std::move(known_));
        clear_status_line();
        print_error(current_error());
    }
    stop_temporary_folders();  // a session may be starting
    _exit(interrupted);  // the other threads are at work and cannot be asked to end
}

}  // namespace frond::cli
