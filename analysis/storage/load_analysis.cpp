// SPDX-License-Identifier: BSD-3-Clause
#include "analysis_reader.hpp"
#include "check_analysis.hpp"
#include "frond/analysis/analysis_file.hpp"
#include "frond/analysis/packed_analysis.hpp"
#include "frond/base/error.hpp"

#include <memory>
#include <new>
#include <sstream>

namespace frond {
namespace {

std::shared_ptr<const Analysis> analysis_from(detail::AnalysisReader& reader) {
    reader.check_header();
    const auto analysis = std::make_shared<Analysis>();
    reader.get(*analysis);
    if (reader.left() > 0) reader.refuse_content("bytes follow the last field");
    return analysis;
}

}  // namespace

std::shared_ptr<const Analysis> load_analysis(const std::string& path) try {
    detail::AnalysisReader reader(path);
    std::shared_ptr<const Analysis> analysis = analysis_from(reader);
    const std::string defect = detail::defect_of(*analysis);
    if (!defect.empty()) reader.refuse_content(defect);
    return analysis;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

std::shared_ptr<const Analysis> unpacked_analysis(const std::vector<std::byte>& bytes) {
    detail::AnalysisReader reader(
        "the analysis of another rank",
        std::make_unique<std::istringstream>(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                                             std::ios::binary));
    return analysis_from(reader);
}

}  // namespace frond
