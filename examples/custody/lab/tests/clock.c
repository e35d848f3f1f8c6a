/* A clock that a file sets: seconds that are added to the time of day. For LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    const char *path = getenv("CUSTODY_LAB_CLOCK");
    if (result != 0 || clock != CLOCK_REALTIME || !path) return result;
    FILE *file = fopen(path, "r");
    long ahead = 0;
    if (file) {
        if (fscanf(file, "%ld", &ahead) != 1) ahead = 0;
        fclose(file);
    }
    time->tv_sec += ahead;
    return 0;
}
