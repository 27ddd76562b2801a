// SPDX-License-Identifier: BSD-3-Clause
#include "analysis_reader.hpp"
#include "frond/analysis/analysis_file.hpp"
#include "frond/analysis/packed_analysis.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"

#include <memory>
#include <new>
#include <istream>
#include <streambuf>
#include <utility>
#include <vector>

namespace frond {
namespace {

/// Reads bytes where they are.
class BytesStream : private std::streambuf, public std::istream {
public:
    explicit BytesStream(const std::vector<std::byte>& bytes) : std::istream(this) {
        auto* const first = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));  // it writes nothing
        setg(first, first, first + bytes.size());
    }

private:
    std::streambuf::pos_type seekoff(std::streambuf::off_type offset, std::ios::seekdir from,
                                     std::ios::openmode) override {
        const std::streambuf::off_type base = from == std::ios::beg   ? 0
                                              : from == std::ios::cur ? gptr() - eback()
                                                                      : egptr() - eback();
        return seekpos(base + offset, std::ios::in);
    }
    std::streambuf::pos_type seekpos(std::streambuf::pos_type to, std::ios::openmode) override {
        if (to < 0 || to > egptr() - eback()) return {std::streambuf::off_type(-1)};
        setg(eback(), eback() + std::streambuf::off_type(to), egptr());
        return to;
    }
};

std::shared_ptr<const Analysis> analysis_from(detail::AnalysisReader& reader, detail::Checksum checksum) {
    reader.check_header(checksum);
    const auto analysis = std::make_shared<Analysis>();
    reader.get(*analysis);
    set_cost(*analysis, std::move(analysis->cost));
    if (reader.left() > 0) reader.refuse_content("bytes follow the last field");
    return analysis;
}

}  // namespace

std::shared_ptr<const Analysis> load_analysis(const std::string& path) try {
    detail::AnalysisReader reader(path);
    std::shared_ptr<const Analysis> analysis = analysis_from(reader, detail::Checksum::yes);
    const std::string defect = detail::defect_of(*analysis);
    if (!defect.empty()) reader.refuse_content(defect);
    return analysis;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

std::shared_ptr<const Analysis> unpacked_analysis(const std::vector<std::byte>& bytes) {
    detail::AnalysisReader reader("the analysis of another rank", std::make_unique<BytesStream>(bytes));
    return analysis_from(reader, detail::Checksum::no);
}

}  // namespace frond
