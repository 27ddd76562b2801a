# SPDX-License-Identifier: BSD-3-Clause
# Properties that every target of Frond shares.

# Whether the target that asks compiles several sources as one (frond_unity). There, what one source declares
# for itself lies above what the next ones do: so a local name may hide it, and a type of an unnamed namespace is no
# longer "in the main file".
set(FROND_IN_UNITY $<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>)

add_library(frond_settings INTERFACE)
target_compile_features(frond_settings INTERFACE cxx_std_20)
target_compile_options(frond_settings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wnon-virtual-dtor>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:${FROND_IN_UNITY}>>:-Wshadow>
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,${FROND_IN_UNITY}>:-Wshadow=local -Wno-subobject-linkage>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${FROND_WARNINGS_AS_ERRORS}>>:-Werror>)
foreach(sanitizer IN LISTS FROND_SANITIZE)
  target_compile_options(frond_settings INTERFACE -fsanitize=${sanitizer} -fno-omit-frame-pointer -g)
  target_link_options(frond_settings INTERFACE -fsanitize=${sanitizer})
endforeach()

# For programs, tests, and sources of the library without loops over entries: most of what they compile is templates of
# other libraries, on which the optimizer spends longer than it gains.
set(FROND_QUICK_TO_COMPILE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:-O1>)

foreach(letter s d c z)
  string(TOUPPER ${letter} upper)
  if(letter IN_LIST FROND_SCALARS)
    target_compile_definitions(frond_settings INTERFACE FROND_SCALAR_${upper}=1)
  else()
    target_compile_definitions(frond_settings INTERFACE FROND_SCALAR_${upper}=0)
  endif()
endforeach()

# frond_add_modules(target device): the objects of all modules, with `device` as the one for devices, and what they are
# linked with but for the runtime of devices.
function(frond_add_modules target device)
  foreach(module frond_analysis frond_kernels_cpu frond_codelets ${device} frond_runtime)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${module}>)
    if(TARGET ${module}_quick)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${module}_quick>)
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE frond_settings Threads::Threads ZLIB::ZLIB fmt::fmt METIS::METIS
    Scotch::Scotch AMD::AMD OpenBLAS::OpenBLAS StarPU::starpu ${FROND_DECOMPRESSION})
endfunction()

# frond_unity(target [size]): compile its sources forty at a time (FROND_UNITY), since most of the cost of one is what it
# includes and instantiates. They must not give two things in unnamed namespaces one name.
function(frond_unity target)
  set(size 40)
  if(ARGC GREATER 1)
    set(size ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${FROND_UNITY} UNITY_BUILD_BATCH_SIZE ${size}
    UNITY_BUILD_CODE_AFTER_INCLUDE "#undef FROND_INSTANTIATE")
endfunction()

# frond_module(name LINKS targets... [QUICK folders...]): an object library of all sources under the calling folder,
# with its own include root, and one that is not installed (internal/) where there is one. Its links are the only
# headers it sees. Sources in the QUICK folders, in which no time passes when Frond solves, are a library of their own
# (..._quick), which the optimizer looks at for a shorter time.
function(frond_module name)
  cmake_parse_arguments(arg "" "" "LINKS;EXCLUDE;QUICK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  foreach(pattern IN LISTS arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  if(NOT sources)
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/empty.cpp" "")
    set(sources "${CMAKE_CURRENT_BINARY_DIR}/empty.cpp")
  endif()
  foreach(folder IN LISTS arg_QUICK)
    set(of_folder ${sources})
    list(FILTER of_folder INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
    if(NOT of_folder)
      message(FATAL_ERROR "no source is in ${folder} of module ${name}")
    endif()
    list(APPEND quick_sources ${of_folder})
  endforeach()
  if(quick_sources)
    list(REMOVE_ITEM sources ${quick_sources})
    frond_object_library(frond_${name}_quick "${quick_sources}" "${arg_LINKS}")
    target_compile_options(frond_${name}_quick PRIVATE ${FROND_QUICK_TO_COMPILE})
  endif()
  frond_object_library(frond_${name} "${sources}" "${arg_LINKS}")
endfunction()

function(frond_object_library target sources links)
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
  if(IS_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/internal")
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/internal>)
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET default)
  target_link_libraries(${target} PUBLIC frond_settings ${links})
  frond_unity(${target})
endfunction()

# frond_tests_without_tuning(): for all tests of the calling folder, at its end: the programs that CTest starts find no
# tuning of the user's (docs/tuning.md).
function(frond_tests_without_tuning)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "XDG_CONFIG_HOME=/proc/no-folder-of-tunings")
  endforeach()
endfunction()
