/* frugal/version.h - which library this is. */
#ifndef FRUGAL_VERSION_H
#define FRUGAL_VERSION_H

#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
#    error "libfrugal needs C11 or later (-std=c11)"
#endif

#define FRUGAL_VERSION_MAJOR 0
#define FRUGAL_VERSION_MINOR 1
#define FRUGAL_VERSION_PATCH 0
#define FRUGAL_VERSION_NUM \
    ((FRUGAL_VERSION_MAJOR << 16) | (FRUGAL_VERSION_MINOR << 8) | FRUGAL_VERSION_PATCH)

/* What the shared library exports; everything else in it is hidden. */
#ifndef FRUGAL_API
#    ifdef __GNUC__
#        define FRUGAL_API __attribute__((visibility("default")))
#    else
#        define FRUGAL_API
#    endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* FRUGAL_VERSION_NUM of the library that runs, which may be newer than the headers. */
FRUGAL_API int frugal_version(void);

#ifdef __cplusplus
}
#endif
#endif /* FRUGAL_VERSION_H */
