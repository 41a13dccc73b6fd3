// Counts and logs the operations in a watched folder. Only one operation of all threads and processes runs at a time.
// Environment variables:
//
// OPERATIONS_FOLDER    the absolute real path of the watched folder
// OPERATIONS_COUNTER   a file of 64 zero bytes, shared by all processes of a run: lock and operations so far
// OPERATIONS_LOG       the log, to which each operation is appended (`append`)
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <sched.h>
#include <string>

namespace {

struct Shared {
  int locked;
  uint64_t operations;
};

Shared *shared = nullptr;
std::string *folder = nullptr;
int logFile = -1;

__attribute__((constructor)) void start() {
  const char *counter = getenv("OPERATIONS_COUNTER");
  const char *watched = getenv("OPERATIONS_FOLDER");
  if (counter == nullptr || watched == nullptr) return;
  int file = syscall(SYS_openat, AT_FDCWD, counter, O_RDWR | O_CLOEXEC, 0);
  void *memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (memory == MAP_FAILED) abort();
  folder = new std::string(watched);
  if (const char *path = getenv("OPERATIONS_LOG"))
    logFile = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  shared = static_cast<Shared *>(memory);
}

bool isWatched(const std::string &path) {
  if (shared == nullptr || path.compare(0, folder->size(), *folder) != 0) return false;
  return path.size() == folder->size() || path[folder->size()] == '/';
}

/** Returns the path of an open descriptor; empty for a pipe, a socket or similar. */
std::string pathOf(int fd) {
  if (shared == nullptr || fd < 0) return "";
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path);
  return length > 0 && path[0] == '/' ? std::string(path, length) : "";
}

/** Returns an absolute path without `.`, `..` and double slashes. Assumes that folders are not symbolic links. */
std::string absolute(int at, const char *path) {
  if (shared == nullptr || path == nullptr) return "";
  std::string joined = path;
  if (path[0] != '/') {
    char current[4096];
    if (at != AT_FDCWD) joined = pathOf(at) + "/" + joined;
    else if (syscall(SYS_getcwd, current, sizeof current) > 0) joined = std::string(current) + "/" + joined;
  }
  std::string clean;
  for (size_t from = 0; from < joined.size();) {
    size_t to = joined.find('/', from);
    if (to == std::string::npos) to = joined.size();
    std::string part = joined.substr(from, to - from);
    if (part == "..") clean.erase(clean.rfind('/') == std::string::npos ? 0 : clean.rfind('/'));
    else if (!part.empty() && part != ".") clean += "/" + part;
    from = to + 1;
  }
  return clean;
}

void writeAll(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = syscall(SYS_write, fd, bytes, length);
    if (written <= 0) abort();
    bytes += written;
    length -= written;
  }
}

/**
 * Appends a record: seven 64-bit numbers (operation, result, offset, lengths of kind, path, other path and data), then
 * kind, path, other path and data.
 */
void append(uint64_t number, const char *kind, const std::string &path, const std::string &other, int64_t result,
            int64_t offset, const std::string &data) {
  if (logFile < 0) return;
  int64_t head[7] = {(int64_t)number, result, offset, (int64_t)strlen(kind), (int64_t)path.size(), (int64_t)other.size(),
                     (int64_t)data.size()};
  std::string record(reinterpret_cast<char *>(head), sizeof head);
  record += kind;
  record += path;
  record += other;
  record += data;
  writeAll(logFile, record.data(), record.size());
}

/** An operation. Only one runs at a time over all threads and processes, so the log has the order of their effects. */
class Operation {
 public:
  Operation(const char *kind, std::string path, std::string other = "") : kind(kind), path(path), other(other) {
    while (__atomic_exchange_n(&shared->locked, 1, __ATOMIC_ACQUIRE) != 0) sched_yield();
    number = ++shared->operations;
  }
  ~Operation() { __atomic_store_n(&shared->locked, 0, __ATOMIC_RELEASE); }

  long done(long result, int64_t offset = 0, const void *data = nullptr, size_t length = 0) {
    int error = errno;
    std::string bytes = result > 0 && data != nullptr
                            ? std::string(static_cast<const char *>(data), length)
                            : std::string();
    append(number, kind, path, other, result < 0 ? -error : result, offset, bytes);
    errno = error;
    return result;
  }

 private:
  const char *kind;
  std::string path, other;
  uint64_t number;
};

}  // namespace
