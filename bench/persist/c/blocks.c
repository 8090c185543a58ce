/* Reads and writes blocks of 256 bytes of a mapped file word by word; prints nanoseconds per block for sequential read,
 * sequential write, random read, random write. With a second mode, touches every cache line once, as a lower bound of any
 * recovery that looks at the whole file. Built without vectorisation: what the JVM's compiler makes of the same loop. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 256

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void copy(volatile uint64_t *to, const volatile uint64_t *from) {
    for (int i = 0; i < BLOCK / 8; i++)
        to[i] = from[i];
}

static int scan(const char *file) {
    int fd = open(file, O_RDONLY);
    struct stat s;
    if (fd < 0 || fstat(fd, &s))
        return 1;
    double begin = now();
    uint64_t *p = mmap(NULL, s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return 1;
    uint64_t sum = 0;
    for (off_t i = 0; i < s.st_size / 8; i++)
        sum += ((volatile uint64_t *)p)[i];
    printf("%f %llu\n", (now() - begin) / 1e6, (unsigned long long)(sum & 1));
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2)
        return scan(argv[1]);
    if (argc != 3)
        return 2;
    long bytes = atol(argv[2]);
    int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, bytes))
        return 1;
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return 1;
    memset(p, 1, bytes);
    uint64_t buffer[BLOCK / 8];
    memset(buffer, 0, sizeof buffer);
    long n = bytes / BLOCK;
    for (int kind = 0; kind < 4; kind++) {
        long at = 0;
        double begin = now();
        for (long i = 0; i < n; i++) {
            at = kind < 2 ? i : ((at * 1103515245L + 12345) & 0x7fffffff) % n;
            if (kind & 1)
                copy((uint64_t *)(p + at * BLOCK), buffer);
            else
                copy(buffer, (uint64_t *)(p + at * BLOCK));
        }
        printf("%f ", (now() - begin) / n);
    }
    printf("\n");
    return 0;
}
