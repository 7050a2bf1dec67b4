/* tests/jit/children.h - whether children of fork run at all: those of some emulators hang. */
#ifndef TESTS_JIT_CHILDREN_H
#define TESTS_JIT_CHILDREN_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILDREN_PATIENCE_S 20

static inline bool children_run(void)
{
    static int known; /* 1: yes, 2: no */
    if (known == 0) {
        const struct timespec patience = { CHILDREN_PATIENCE_S, 0 };
        sigset_t              child_ends, before;
        sigemptyset(&child_ends);
        sigaddset(&child_ends, SIGCHLD);
        sigprocmask(SIG_BLOCK, &child_ends, &before);
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        known = child > 0 && sigtimedwait(&child_ends, NULL, &patience) == SIGCHLD ? 1 : 2;
        if (child > 0) {
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
        }
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    return known == 1;
}

/* At the beginning of what needs a child. */
#define NEEDS_CHILDREN()                                                                        \
    do {                                                                                        \
        if (!children_run()) {                                                                  \
            print_message("NOT TESTED: children of fork hang here, as under some emulators\n"); \
            skip();                                                                             \
        }                                                                                       \
    } while (0)

#endif /* TESTS_JIT_CHILDREN_H */
