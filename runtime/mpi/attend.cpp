// SPDX-License-Identifier: BSD-3-Clause
// The calling threads of all ranks listen while their other threads work: rank 0 passes on what any of them says.
#include <array>
#include <deque>

#include "mpi_communicator.hpp"
#include "patience.hpp"

namespace frond::mpi {
namespace {

using detail::Attendance;

constexpr int tag_of_news = 2;

enum class News : std::int64_t { cancel, job_failed, work_ended };
struct Note {
    std::int64_t news = 0;
    std::int64_t number = Attendance::no_job;  // of the job that failed, or of the rank that cancels
};

/// Notes under way, sent in order.
class Outbox {
public:
    Outbox(MPI_Comm comm, Alarm& alarm) : comm_(comm), alarm_(alarm) {}
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;
    /// Empty, unless MPI has failed.
    ~Outbox() {
        for (UnderWay& note : notes_) Alarm::settle({&note.request, 1});
    }

    void send(int rank, News news, std::int64_t number = Attendance::no_job) {
        UnderWay& note = notes_.emplace_back();
        note.note = {static_cast<std::int64_t>(news), number};
        alarm_.check(MPI_Isend(&note.note, 2, MPI_INT64_T, rank, tag_of_news, comm_, &note.request), "MPI_Isend");
    }
    /// Whether all have gone.
    bool is_empty() {
        while (!notes_.empty()) {
            int done = 0;
            alarm_.check(MPI_Test(&notes_.front().request, &done, MPI_STATUS_IGNORE), "MPI_Test");
            if (done == 0) return false;
            notes_.pop_front();
        }
        return true;
    }

private:
    struct UnderWay {
        Note note;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    MPI_Comm comm_;
    Alarm& alarm_;
    std::deque<UnderWay> notes_;  // whose addresses stay
};

/// The notes of one rank, or of any.
class Inbox {
public:
    Inbox(MPI_Comm comm, int rank, Alarm& alarm) : comm_(comm), alarm_(alarm), rank_(rank) { post(); }
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;
    /// Nothing is expected, unless MPI has failed.
    ~Inbox() {
        if (request_ == MPI_REQUEST_NULL) return;
        succeeded(MPI_Cancel(&request_));
        Alarm::settle({&request_, 1});
    }

    /// Whether there is one. Not after the last one, which the receiver must know.
    bool take(Note& note, int& source) {
        int done = 0;
        MPI_Status status;
        alarm_.check(MPI_Test(&request_, &done, &status), "MPI_Test");
        if (done == 0) return false;
        note = note_;
        source = status.MPI_SOURCE;
        return true;
    }
    void post() { alarm_.check(MPI_Irecv(&note_, 2, MPI_INT64_T, rank_, tag_of_news, comm_, &request_), "MPI_Irecv"); }

private:
    MPI_Comm comm_;
    Alarm& alarm_;
    int rank_;
    Note note_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// What both kinds of rank do with a note.
void apply(const Note& note, Attendance& attendance) {
    if (note.news == static_cast<std::int64_t>(News::cancel)) attendance.cancel(static_cast<index_t>(note.number));
    if (note.news == static_cast<std::int64_t>(News::job_failed)) attendance.stop_job(note.number);
}

/// Every rank's last note says that its work has ended; rank 0's answer, that all has.
class Hub {
public:
    Hub(MPI_Comm comm, int size, Attendance& attendance, Alarm& alarm)
        : size_(size),
          attendance_(attendance),
          alarm_(alarm),
          outbox_(comm, alarm),
          inbox_(comm, MPI_ANY_SOURCE, alarm) {}

    void run() {
        Patience patience;
        for (bool here = false; !here || ended_ + 1 < size_;) {
            alarm_.expect_none();
            here = here || attendance_.has_ended();
            if (attendance_.wants_to_cancel()) cancel(0);
            if (const std::int64_t job = attendance_.failed_job(); job != Attendance::no_job)
                tell_all(News::job_failed, job, 0);
            if (!listen() && here) patience.pause();
        }
        tell_all(News::work_ended, Attendance::no_job, 0);
        while (!outbox_.is_empty()) alarm_.expect_none(), patience.pause();
    }

private:
    bool listen() {
        Note note;
        int source = 0;
        if (ended_ + 1 == size_ || !inbox_.take(note, source)) return false;
        if (note.news == static_cast<std::int64_t>(News::work_ended))
            ++ended_;
        else if (note.news == static_cast<std::int64_t>(News::cancel))
            cancel(source);
        else
            apply(note, attendance_), tell_all(News::job_failed, note.number, source);
        if (ended_ + 1 < size_) inbox_.post();
        return true;
    }
    /// The first rank that wants to is the one that all name.
    void cancel(int by) {
        if (cancelled_) return;
        cancelled_ = true;
        attendance_.cancel(by);
        tell_all(News::cancel, by, 0);
    }
    void tell_all(News news, std::int64_t number, int but) {
        for (int rank = 1; rank < size_; ++rank)
            if (rank != but) outbox_.send(rank, news, number);
        outbox_.is_empty();
    }

    int size_;
    Attendance& attendance_;
    Alarm& alarm_;
    Outbox outbox_;
    Inbox inbox_;
    int ended_ = 0;  // other ranks
    bool cancelled_ = false;
};

void attend_elsewhere(MPI_Comm comm, Attendance& attendance, Alarm& alarm) {
    Outbox outbox(comm, alarm);
    Inbox inbox(comm, 0, alarm);
    Patience patience;
    bool has_ended = false, has_cancelled = false;
    for (;;) {
        alarm.expect_none();
        if (!has_cancelled && attendance.wants_to_cancel()) {
            has_cancelled = true;
            if (!has_ended) outbox.send(0, News::cancel);
        }
        if (const std::int64_t job = attendance.failed_job(); job != Attendance::no_job && !has_ended)
            outbox.send(0, News::job_failed, job);
        if (!has_ended && attendance.has_ended()) {
            has_ended = true;
            outbox.send(0, News::work_ended);
        }
        outbox.is_empty();
        Note note;
        int source = 0;
        if (!inbox.take(note, source)) {
            if (has_ended) patience.pause();  // else has_ended() waits
            continue;
        }
        if (note.news == static_cast<std::int64_t>(News::work_ended)) break;
        apply(note, attendance);
        inbox.post();
    }
    while (!outbox.is_empty()) alarm.expect_none(), patience.pause();
}

}  // namespace

/// Where MPI fails, the work of this rank ends as well: its calls of MPI throw, its messages have failed, and its jobs stop.
void MpiCommunicator::attend(detail::Attendance& attendance) {
    expect_running();
    try {
        if (rank_ == 0)
            Hub(comm_, size_, attendance, *alarm_).run();
        else
            attend_elsewhere(comm_, attendance, *alarm_);
    } catch (const std::exception& error) {
        alarm_->raise(error.what());
        attendance.stop_job(Attendance::every_job);
        throw;
    }
}

}  // namespace frond::mpi
