// SPDX-License-Identifier: BSD-3-Clause
#include "alarm.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <string>
#include <thread>

#include "patience.hpp"

namespace frond::mpi {
namespace {

using std::chrono::steady_clock;

constexpr int tag_of_alarm = 32749;  // MPI has tags up to 32767 everywhere
constexpr std::chrono::milliseconds between_looks{1};
/// Other ranks look at MPI within a millisecond, or do so before they begin anything.
constexpr std::chrono::milliseconds until_all_know{100};

}  // namespace

Alarm::Alarm(MPI_Comm callers) : comms_{MPI_COMM_NULL, callers} {
    check(MPI_Comm_size(callers, &size_), "MPI_Comm_size");
    check(MPI_Comm_rank(callers, &rank_), "MPI_Comm_rank");
    number_note(callers);
}

/// All ranks count alike, since alarms are made together. So a note that an earlier one has left is known.
void Alarm::number_note(MPI_Comm callers) {
    static const int key = [this] {
        int made = MPI_KEYVAL_INVALID;
        check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &made, nullptr),
              "MPI_Comm_create_keyval");
        return made;
    }();
    void* earlier = nullptr;
    int is_there = 0;
    check(MPI_Comm_get_attr(callers, key, &earlier, &is_there), "MPI_Comm_get_attr");
    const std::intptr_t number = is_there != 0 ? reinterpret_cast<std::intptr_t>(earlier) + 1 : 0;
    check(MPI_Comm_set_attr(callers, key, reinterpret_cast<void*>(number)), "MPI_Comm_set_attr");
    note_->number = number;
}

void Alarm::expect_none() {
    if (!is_raised()) look();
    if (is_raised()) throw RuntimeError(note_->text.data());
}

void Alarm::check(int status, const char* function) {
    if (status == MPI_SUCCESS) return;
    raise(text_of_failure(status, function));
    expect_none();
}

void Alarm::raise(const std::string& what) noexcept try {
    if (set("rank " + std::to_string(rank_) + ": " + what + "; end all ranks, or make a session anew on all of them"))
        tell_others();
} catch (const std::bad_alloc&) {
    if (set("MPI has failed on a rank that has no memory to say where")) tell_others();
}

bool Alarm::set(std::string_view text) noexcept {
    const std::lock_guard lock(mutex_);
    if (is_raised()) return false;
    std::copy_n(text.begin(), std::min(text.size(), note_->text.size() - 1), note_->text.begin());
    has_failed() = true;
    is_raised_.store(true, std::memory_order_release);
    return true;
}

void Alarm::tell_others() noexcept {
    if (!is_running()) return;
    for (const auto& comm : comms_)
        for (int rank = 0; rank < size_ && comm != MPI_COMM_NULL; ++rank)
            if (rank != rank_ && !is_told(comm, rank)) is_under_way_ = true;
}

/// A send that has failed is tried again; who does not hear of it then is a rank that MPI does not reach.
bool Alarm::is_told(MPI_Comm ranks, int rank) noexcept {
    constexpr int attempts = 3;
    MPI_Request request = MPI_REQUEST_NULL;
    const auto send = [&] {
        return succeeded(MPI_Isend(note_.get(), sizeof(Note), MPI_BYTE, rank, tag_of_alarm, ranks, &request));
    };
    for (int k = 0; k < attempts && !send(); ++k) continue;
    settle({&request, 1});
    return request == MPI_REQUEST_NULL;
}

void Alarm::look() noexcept {
    const auto now = steady_clock::now().time_since_epoch();
    std::int64_t next = next_look_.load(std::memory_order_relaxed);
    if (now.count() < next) return;
    const std::int64_t later = (now + between_looks).count();
    if (!next_look_.compare_exchange_strong(next, later, std::memory_order_relaxed)) return;  // another thread looks
    for (const auto& comm : comms_) look_at(comm);
}

void Alarm::look_at(MPI_Comm ranks) noexcept {
    if (ranks == MPI_COMM_NULL) return;
    const auto failed = [this](int status, const char* function) {
        if (status != MPI_SUCCESS) raise(text_of_failure(status, function));
        return status != MPI_SUCCESS;
    };
    int is_there = 0, bytes = 0;
    MPI_Status status;
    if (failed(MPI_Iprobe(MPI_ANY_SOURCE, tag_of_alarm, ranks, &is_there, &status), "MPI_Iprobe")) return;
    if (is_there == 0 || failed(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count")) return;
    if (bytes == static_cast<int>(sizeof(Note))) take_note(ranks, status.MPI_SOURCE);
}

void Alarm::take_note(MPI_Comm ranks, int source) noexcept {
    int is_there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    Note note;
    const bool is_taken = succeeded(MPI_Improbe(source, tag_of_alarm, ranks, &is_there, &message, MPI_STATUS_IGNORE)) &&
                          is_there != 0 &&
                          succeeded(MPI_Mrecv(&note, sizeof(Note), MPI_BYTE, &message, MPI_STATUS_IGNORE));
    if (is_taken && note.number != any_number && note.number < note_->number) return;
    set(is_taken ? note.text.data() : "MPI has failed on another rank");
}

MPI_Comm Alarm::duplicate(MPI_Comm original) {
    expect_none();
    auto made = std::make_unique<MPI_Comm>(MPI_COMM_NULL);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Comm_idup(original, made.get(), &request), "MPI_Comm_idup");
    Patience patience(Patience::For::data);
    try {
        for (int done = 0;; patience.pause()) {
            check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
            if (done != 0) break;
            expect_none();
        }
    } catch (const RuntimeError&) {
        settle({&request, 1});
        if (request != MPI_REQUEST_NULL) static_cast<void>(made.release());  // MPI may still write it
        throw;
    }
    // Errors come back as a status, whatever the application set for its own communicator.
    check(MPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return *made;
}

void Alarm::settle(std::span<MPI_Request> requests) noexcept {
    const auto end = steady_clock::now() + until_all_know;
    for (int done = 0; steady_clock::now() < end; std::this_thread::sleep_for(between_looks)) {
        const bool tested =
            succeeded(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE));
        if (tested && done != 0) return;
    }
}

}  // namespace frond::mpi
