/*
 * LD_PRELOAD library that simulates a slow or full disk for PostgreSQL:
 *
 *   SHIM_SYNC_MS    extra milliseconds per fsync and fdatasync
 *   SHIM_FULL_FILE  while this file exists, growing a regular file fails with ENOSPC
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static long sync_ms;
static char *full_file;

__attribute__((constructor)) static void read_settings(void) {
  const char *ms = getenv("SHIM_SYNC_MS");
  sync_ms = ms ? atol(ms) : 0;
  const char *file = getenv("SHIM_FULL_FILE");
  /* Copied: PostgreSQL overwrites the environment with process titles. */
  full_file = file ? strdup(file) : NULL;
}

static void wait_for_disk(void) {
  struct timespec left = {sync_ms / 1000, sync_ms % 1000 * 1000000};
  while (sync_ms > 0 && nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

/* True if a write up to `end` would grow a file on a full disk; -1 means append. */
static int refuses(int fd, off_t end) {
  struct stat file;
  if (!full_file || access(full_file, F_OK) != 0) return 0;
  if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return 0;
  if (end >= 0 && end <= file.st_size) return 0;
  errno = ENOSPC;
  return 1;
}

static off_t length_of(const struct iovec *parts, int count) {
  off_t length = 0;
  for (int at = 0; at < count; at++) length += (off_t)parts[at].iov_len;
  return length;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

int fsync(int fd) {
  wait_for_disk();
  return REAL(int, "fsync", int)(fd);
}

int fdatasync(int fd) {
  wait_for_disk();
  return REAL(int, "fdatasync", int)(fd);
}

ssize_t write(int fd, const void *from, size_t count) {
  if (refuses(fd, -1)) return -1;
  return REAL(ssize_t, "write", int, const void *, size_t)(fd, from, count);
}

ssize_t pwrite64(int fd, const void *from, size_t count, off64_t offset) {
  if (refuses(fd, offset + (off_t)count)) return -1;
  return REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)(fd, from, count, offset);
}

ssize_t pwrite(int fd, const void *from, size_t count, off_t offset) {
  return pwrite64(fd, from, count, offset);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  if (refuses(fd, offset + length_of(parts, count))) return -1;
  return REAL(ssize_t, "pwritev64", int, const struct iovec *, int, off64_t)(fd, parts, count, offset);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return pwritev64(fd, parts, count, offset);
}

int posix_fallocate64(int fd, off64_t offset, off64_t length) {
  if (refuses(fd, offset + length)) return ENOSPC;
  return REAL(int, "posix_fallocate64", int, off64_t, off64_t)(fd, offset, length);
}

int posix_fallocate(int fd, off_t offset, off_t length) {
  return posix_fallocate64(fd, offset, length);
}
