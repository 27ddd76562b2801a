// SPDX-License-Identifier: BSD-3-Clause
// Pages in a headless Chromium.
#pragma once

#include "temporary_file.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

namespace frond::test {

/// What a command writes to standard output.
inline std::string output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    if (pipe == nullptr) throw std::runtime_error("no pipe to " + command);
    std::string text;
    std::array<char, 4096> part;
    while (const std::size_t got = fread(part.data(), 1, part.size(), pipe.get())) text.append(part.data(), got);
    return text;
}

/// The program, or nothing where there is none.
inline std::string browser() {
    const std::string found = output_of("command -v chromium || command -v google-chrome");
    return found.substr(0, found.find('\n'));
}

/// The attributes data-... of the body of a page, after the script, which may wait, has run in it; it runs when the page
/// says that it is ready.
inline std::map<std::string, std::string> attributes_of_page(const std::string& file, const std::string& script) {
    std::stringstream page;
    page << std::ifstream(file).rdbuf();
    std::string text = page.str();
    const std::string waiting =
        "<script>(async () => { for (let i = 0; i < 200 && !document.body.dataset.ready; ++i) "
        "await new Promise(done => setTimeout(done, 50));\n" +
        script + "})().catch(error => { document.body.dataset.error = error.stack; });</script>\n";
    text.insert(text.rfind("</body>"), waiting);
    const TemporaryFile copy(".html", text), profile("-chromium");
    const std::string dom =
        output_of("timeout 120 " + browser() +
                  " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --window-size=1400,1600"
                  " --virtual-time-budget=20000 --user-data-dir=" +
                  profile.path() + " --dump-dom file://" + copy.path() + " 2>/dev/null");
    std::error_code ignored;
    std::filesystem::remove_all(profile.path(), ignored);
    std::map<std::string, std::string> attributes;
    const std::size_t body = dom.find("<body");
    if (body == std::string::npos) return attributes;
    for (std::size_t at = body; (at = dom.find(" data-", at)) < dom.find('>', body);) {
        const std::size_t equals = dom.find("=\"", at), end = dom.find('"', equals + 2);
        std::string value = dom.substr(equals + 2, end - equals - 2);
        for (std::size_t quote; (quote = value.find("&quot;")) != std::string::npos;) value.replace(quote, 6, "\"");
        attributes[dom.substr(at + 6, equals - at - 6)] = value;
        at = end;
    }
    return attributes;
}

}  // namespace frond::test
