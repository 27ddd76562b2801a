// SPDX-License-Identifier: BSD-3-Clause
// What libfrond sees of libfrond_mpi.
#include "ranks/mpi_plugin.hpp"

#include "mpi_communicator.hpp"
#include "mpi_wire.hpp"
#ifdef FROND_WITH_STARPU_MPI
#include "mpi/channel/starpu_mpi.hpp"
#endif

namespace frond::mpi {
namespace {

std::string running_library() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "unknown";
    const std::string all(text, static_cast<std::size_t>(length));
    return all.substr(0, all.find('\n'));
}

/// How the version text of the libraries begins that have the binary interface of this build's mpi.h: MPI_Comm is a
/// pointer in Open MPI, a number in MPICH, and changes no more within a major version.
std::string family_of_build() {
#if defined(OPEN_MPI)
    return "Open MPI v" + std::to_string(OMPI_MAJOR_VERSION) + ".";
#elif defined(MPICH_NUMVERSION)
    return "MPICH Version:";
#else
    return "";
#endif
}

void expect_multiple(int level) {
    if (level >= MPI_THREAD_MULTIPLE) return;
    throw RuntimeError(std::string("MPI was started with ") + name_of_level(level) +
                       ", but Frond needs MPI_THREAD_MULTIPLE; start it by MPI_Init_thread(&argc, &argv, "
                       "MPI_THREAD_MULTIPLE, &provided), with an MPI library that provides it");
}

class Plugin final : public detail::MpiPlugin {
public:
    int version() const noexcept override { return detail::mpi_plugin_version; }
    std::string library() const override { return running_library(); }

    std::string objection() const override {
        const std::string wanted = family_of_build(), runs = running_library();
        if (runs.starts_with(wanted)) return "";
        return "libfrond_mpi was built with " + wanted + "*, but the MPI that runs is " + runs +
               "; build Frond with the MPI of the application";
    }

    std::unique_ptr<detail::Communicator> duplicate(const void* communicator) const override {
        expect_running();
        const MPI_Comm original = *static_cast<const MPI_Comm*>(communicator);
        if (original == MPI_COMM_NULL)
            throw RuntimeError("the communicator of the session is MPI_COMM_NULL; make sessions on its ranks only");
        const auto alarm = std::make_shared<Alarm>(original);
        int is_between_groups = 0, level = MPI_THREAD_SINGLE;
        alarm->check(MPI_Comm_test_inter(original, &is_between_groups), "MPI_Comm_test_inter");
        if (is_between_groups != 0)
            throw InvalidArgument(
                "the communicator of the session is an inter-communicator, between two groups of ranks; give one of "
                "all ranks that work together, such as MPI_Intercomm_merge makes");
        alarm->check(MPI_Query_thread(&level), "MPI_Query_thread");
        expect_multiple(level);
        return MpiCommunicator::first(original, alarm);
    }

    std::unique_ptr<detail::Wire> make_wire() const override { return mpi::make_wire(); }
    void open_wire(detail::Wire& wire, const detail::Communicator& ranks) const override {
        const auto& of_mpi = static_cast<const MpiCommunicator&>(ranks);
        mpi::open_wire(wire, of_mpi.handle(), of_mpi.alarm());
    }

    bool has_starpu_mpi() const noexcept override {
#ifdef FROND_WITH_STARPU_MPI
        return true;
#else
        return false;
#endif
    }

    std::unique_ptr<detail::MessageLibrary> start_starpu_mpi(
        [[maybe_unused]] const detail::Communicator& ranks) const override {
#ifdef FROND_WITH_STARPU_MPI
        const MPI_Comm communicator = static_cast<const MpiCommunicator&>(ranks).handle();
        return detail::start_starpu_mpi(&communicator);
#else
        return nullptr;
#endif
    }

    void start() const override {
        int level = MPI_THREAD_SINGLE;
        check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread");
        if (level < MPI_THREAD_MULTIPLE) succeeded(MPI_Finalize());
        expect_multiple(level);
    }

    void finish() const noexcept override {
        if (is_running()) succeeded(MPI_Finalize());
    }

    const void* world() const noexcept override { return &world_; }

    bool has_failed() const noexcept override { return mpi::has_failed(); }

    void abort(int exit_code) const noexcept override {
        if (is_running()) succeeded(MPI_Abort(MPI_COMM_WORLD, exit_code));
    }

private:
    MPI_Comm world_ = MPI_COMM_WORLD;
};

}  // namespace
}  // namespace frond::mpi

extern "C" __attribute__((visibility("default"))) const frond::detail::MpiPlugin* frond_mpi_plugin() {
    static const frond::mpi::Plugin plugin;
    return &plugin;
}
