# Headers, both libraries, find_package(frugal) and frugal.pc; the command with its manual pages and
# completions, when it is built. The result may be moved anywhere:
# both descriptions find the rest from their own place, unless the folders were given as absolute.
include(CMakePackageConfigHelpers)

install(TARGETS frugal frugal_static EXPORT frugalTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/frugal DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(frugal_cmakedir ${CMAKE_INSTALL_LIBDIR}/cmake/frugal)
install(EXPORT frugalTargets NAMESPACE frugal:: DESTINATION ${frugal_cmakedir})
configure_package_config_file(cmake/frugalConfig.cmake.in ${PROJECT_BINARY_DIR}/frugalConfig.cmake
    INSTALL_DESTINATION ${frugal_cmakedir} PATH_VARS CMAKE_INSTALL_BINDIR)
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
else()
    set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/frugalConfigVersion.cmake
    COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/frugalConfig.cmake ${PROJECT_BINARY_DIR}/frugalConfigVersion.cmake
    cmake/frugalGenerate.cmake DESTINATION ${frugal_cmakedir})

# ${pcfiledir} is where pkg-config found the file.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
    set(pc_libdir "${CMAKE_INSTALL_LIBDIR}")
else()
    file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
else()
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/frugal.pc.in ${PROJECT_BINARY_DIR}/frugal.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/frugal.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET frugal_command)
    install(TARGETS frugal_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(DIRECTORY man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
    install(FILES completions/frugal.bash RENAME frugal
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES completions/_frugal DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
