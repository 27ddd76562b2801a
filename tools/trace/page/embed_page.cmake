# SPDX-License-Identifier: BSD-3-Clause
# cmake -DFOLDER=template -DOUTPUT=page_files.cpp -P embed_page.cmake
# Writes the files of the page as string literals, the scripts in the order of their names. A literal is cut into parts,
# since compilers bound the length of one.

function(literal_of text result)
  string(LENGTH "${text}" length)
  set(literal "")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 8000 part)
    string(APPEND literal "R\"page(${part})page\"\n")
    math(EXPR begin "${begin} + 8000")
  endwhile()
  set(${result} "${literal}" PARENT_SCOPE)
endfunction()

file(READ "${FOLDER}/page.html" html)
file(READ "${FOLDER}/page.css" css)
file(GLOB scripts "${FOLDER}/*.js")
list(SORT scripts)
set(js "")
foreach(script IN LISTS scripts)
  file(READ "${script}" part)
  string(APPEND js "${part}")
endforeach()
literal_of("${html}" html)
literal_of("${css}" css)
literal_of("${js}" js)
file(WRITE "${OUTPUT}" "// Written by embed_page.cmake.
#include \"trace/page/page_text.hpp\"

namespace frond::cli {

std::string_view page_template() noexcept { return ${html}; }
std::string_view page_style() noexcept { return ${css}; }
std::string_view page_script() noexcept { return ${js}; }

}  // namespace frond::cli
")
