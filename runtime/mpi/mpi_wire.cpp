// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/mpi_wire.hpp"

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>

namespace frond::mpi {
namespace {

using detail::Wire;

constexpr int tag_of_notes = 1, tag_of_bodies = 2;

/// Columns of bytes as a type of MPI, where they are not one piece of memory.
class ColumnsType {
public:
    ColumnsType(const ByteColumns& body, Alarm& alarm) {
        if (body.is_one_piece()) {
            count_ = static_cast<int>(body.size());
            return;
        }
        alarm.check(MPI_Type_create_hvector(static_cast<int>(body.columns), static_cast<int>(body.bytes),
                                            static_cast<MPI_Aint>(body.stride), MPI_BYTE, &type_),
                    "MPI_Type_create_hvector");
        count_ = 1;
        alarm.check(MPI_Type_commit(&type_), "MPI_Type_commit");
    }
    ColumnsType(const ColumnsType&) = delete;
    ColumnsType& operator=(const ColumnsType&) = delete;
    /// MPI keeps what messages under way need.
    ~ColumnsType() {
        if (type_ != MPI_BYTE) succeeded(MPI_Type_free(&type_));
    }
    MPI_Datatype type() const { return type_; }
    int count() const { return count_; }

private:
    MPI_Datatype type_ = MPI_BYTE;
    int count_ = 0;
};

/// The notes that come: receives that wait for them one behind the other, which MPI fills in this order.
class NoteInbox {
public:
    void open(MPI_Comm comm, Alarm& alarm) {
        comm_ = comm;
        alarm_ = &alarm;
        for (Place& place : places_) post(place);
    }
    bool take(index_t& source, std::span<const std::byte>& note) {
        if (taken_ != nullptr) post(*std::exchange(taken_, nullptr));
        int done = 0, bytes = 0;
        MPI_Status status;
        Place& place = places_[next_];
        alarm_->check(MPI_Test(&place.request, &done, &status), "MPI_Test");
        if (done == 0) return false;
        alarm_->check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
        taken_ = &place;
        next_ = (next_ + 1) % places_.size();
        source = status.MPI_SOURCE;
        note = std::span<const std::byte>(place.bytes).first(static_cast<std::size_t>(bytes));
        return true;
    }
    void close() noexcept {
        for (Place& place : places_) {
            if (place.request == MPI_REQUEST_NULL) continue;
            if (succeeded(MPI_Cancel(&place.request))) Alarm::settle({&place.request, 1});
        }
    }

private:
    struct Place {
        alignas(64) std::array<std::byte, static_cast<std::size_t>(Wire::longest_note)> bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    void post(Place& place) {
        alarm_->check(MPI_Irecv(place.bytes.data(), static_cast<int>(place.bytes.size()), MPI_BYTE, MPI_ANY_SOURCE,
                                tag_of_notes, comm_, &place.request),
                      "MPI_Irecv");
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
    Alarm* alarm_ = nullptr;
    std::array<Place, 16> places_;
    std::size_t next_ = 0;
    Place* taken_ = nullptr;  // read until the next call
};

class MpiWire final : public Wire {
public:
    void open(MPI_Comm communicator, std::shared_ptr<Alarm> alarm) {
        alarm_ = std::move(alarm);
        comm_ = alarm_->duplicate(communicator);
        alarm_->check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
        alarm_->check(MPI_Comm_size(comm_, &ranks_), "MPI_Comm_size");
        try {
            inbox_.open(comm_, *alarm_);
        } catch (...) {
            inbox_.close();
            throw;
        }
    }

    index_t rank() const noexcept override { return rank_; }
    index_t ranks() const noexcept override { return ranks_; }

    void send_note(index_t rank, std::vector<std::byte> note) override {
        std::vector<std::byte>& kept = notes_.emplace_back(std::move(note));
        start(&kept, Kind::note, [&](MPI_Request& request) {
            alarm_->check(MPI_Isend(kept.data(), static_cast<int>(kept.size()), MPI_BYTE, rank, tag_of_notes, comm_,
                                    &request),
                          "MPI_Isend");
        });
    }
    bool take_note(index_t& source, std::span<const std::byte>& note) override {
        alarm_->expect_none();
        return inbox_.take(source, note);
    }

    void send_body(index_t rank, const ByteColumns& body, void* name) override {
        start(name, Kind::body, [&](MPI_Request& request) {
            const ColumnsType type(body, *alarm_);
            alarm_->check(MPI_Isend(body.first, type.count(), type.type(), rank, tag_of_bodies, comm_, &request),
                          "MPI_Isend");
        });
    }
    void receive_body(index_t rank, const ByteColumns& body, void* name) override {
        start(name, Kind::body, [&](MPI_Request& request) {
            const ColumnsType type(body, *alarm_);
            alarm_->check(MPI_Irecv(body.first, type.count(), type.type(), rank, tag_of_bodies, comm_, &request),
                          "MPI_Irecv");
        });
    }
    void take_ended(std::vector<void*>& names) override;
    bool is_busy() const noexcept override { return !requests_.empty(); }

    void give_up(const char* why) noexcept override {
        alarm_->raise(why);
        Alarm::settle(requests_);
    }
    void close() noexcept override {
        if (!is_running()) return;
        inbox_.close();
        if (!alarm_->is_raised()) succeeded(MPI_Comm_free(&comm_));
    }

private:
    enum class Kind : std::uint8_t { note, body };
    struct Name {
        void* name;  // of a note: its bytes
        Kind kind;
    };

    template <class Start>
    void start(void* name, Kind kind, const Start& call) {
        names_.push_back({name, kind});
        requests_.push_back(MPI_REQUEST_NULL);
        call(requests_.back());
    }
    void end(const Name& ended, std::vector<void*>& names) {
        if (ended.kind == Kind::body) return names.push_back(ended.name);
        notes_.remove_if([&](const std::vector<std::byte>& note) { return &note == ended.name; });
    }

    std::shared_ptr<Alarm> alarm_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, ranks_ = 1;
    NoteInbox inbox_;
    std::vector<MPI_Request> requests_;
    std::vector<Name> names_;  // of requests_
    std::list<std::vector<std::byte>> notes_;  // whose addresses stay
    std::vector<int> done_;
};

void MpiWire::take_ended(std::vector<void*>& names) {
    if (requests_.empty()) return;
    int count = 0;
    done_.resize(requests_.size());
    names.reserve(names.size() + requests_.size());
    alarm_->check(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, done_.data(),
                               MPI_STATUSES_IGNORE),
                  "MPI_Testsome");
    for (int k = 0; k < count; ++k) end(names_[static_cast<std::size_t>(done_[static_cast<std::size_t>(k)])], names);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < requests_.size() && count > 0; ++k) {
        if (requests_[k] == MPI_REQUEST_NULL) continue;
        requests_[kept] = requests_[k];
        names_[kept++] = names_[k];
    }
    if (count == 0) return;
    requests_.resize(kept);
    names_.resize(kept);
}

}  // namespace

std::unique_ptr<Wire> make_wire() { return std::make_unique<MpiWire>(); }

void open_wire(Wire& wire, MPI_Comm communicator, std::shared_ptr<Alarm> alarm) {
    static_cast<MpiWire&>(wire).open(communicator, std::move(alarm));
}

}  // namespace frond::mpi
