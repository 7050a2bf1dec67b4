# frugal_generate(TARGET FILE.thrift... [PREFIX P] [NAMES snake|idl] [INCLUDES DIR...])
#
# Runs `frugal gen` for each file when the target is built, adds the C files to the target, and the
# folder of the headers to where it and those that link it look for headers. A file that another one
# includes is to be named, too (in one call or in several of one target). A change of an IDL, or of
# what it includes, makes new files. PREFIX is for a call with one file; `namespace c` in the IDL is
# seen by the files that include it, and mostly better. INCLUDES: folders for includes. NAMES: as --names of the command.
#
# The program is the target frugal_command when the library is part of this build, else FRUGAL_PROGRAM,
# which find_package(frugal) finds beside the library; when cross-compiling, on the search path.
function(frugal_generate target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;NAMES" "INCLUDES")
    list(LENGTH arg_UNPARSED_ARGUMENTS count)
    if(count EQUAL 0)
        message(FATAL_ERROR "frugal_generate(${target}): no .thrift file is named")
    endif()
    if(arg_PREFIX AND count GREATER 1)
        message(FATAL_ERROR "frugal_generate(${target}): PREFIX is for one file, not for ${count}")
    endif()
    if(TARGET frugal_command)
        set(program frugal_command)
    else()
        find_program(FRUGAL_PROGRAM frugal DOC "The frugal command of this machine")
        if(NOT FRUGAL_PROGRAM)
            message(FATAL_ERROR "frugal_generate(${target}): no program `frugal`; set FRUGAL_PROGRAM")
        endif()
        set(program ${FRUGAL_PROGRAM})
    endif()

    set(folder ${CMAKE_CURRENT_BINARY_DIR}/frugal_${target})
    file(MAKE_DIRECTORY ${folder})
    set(options -o ${folder})
    if(arg_PREFIX)
        list(APPEND options --prefix ${arg_PREFIX})
    endif()
    if(arg_NAMES)
        list(APPEND options --names ${arg_NAMES})
    endif()
    foreach(include ${arg_INCLUDES})
        get_filename_component(include ${include} ABSOLUTE)
        list(APPEND options -I ${include})
    endforeach()
    foreach(idl ${arg_UNPARSED_ARGUMENTS})
        get_filename_component(idl ${idl} ABSOLUTE)
        get_filename_component(name ${idl} NAME_WLE)
        string(REGEX REPLACE "[^A-Za-z0-9.-]" "_" name ${name})
        add_custom_command(OUTPUT ${folder}/${name}.h ${folder}/${name}.c
            COMMAND ${program} gen ${options} --depfile ${folder}/${name}.d ${idl}
            DEPENDS ${idl} ${program}
            DEPFILE ${folder}/${name}.d
            COMMENT "Writing C for ${name}.thrift" VERBATIM)
        target_sources(${target} PRIVATE ${folder}/${name}.h ${folder}/${name}.c)
    endforeach()
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
endfunction()
