// A preload library that counts and logs the file operations of a process and its children in a folder.
// watched-operation.hpp describes its environment variables.
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include "watched-operation.hpp"

namespace {

int openAny(int at, const char *path, int flags, mode_t mode) {
  auto go = [&] { return (int)syscall(SYS_openat, at, path, flags, mode); };
  if (shared == nullptr || (flags & (O_CREAT | O_TRUNC)) == 0) return go();
  std::string where = absolute(at, path);
  if (!isWatched(where)) return go();
  struct stat stats;
  bool exists = fstatat(at, path, &stats, 0) == 0;
  if (exists && ((flags & O_TRUNC) == 0 || (flags & O_EXCL) != 0)) return go();
  Operation operation(exists ? "truncate" : "create", where);
  return operation.done(go());
}

mode_t modeOf(int flags, va_list arguments) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0; }

/** Writes at an offset, or at the position of the descriptor. */
ssize_t writeAny(int fd, const void *bytes, size_t length, bool isAt, off_t offset) {
  std::string path = pathOf(fd);
  auto go = [&]() -> ssize_t {
    return isAt ? syscall(SYS_pwrite64, fd, bytes, length, offset) : syscall(SYS_write, fd, bytes, length);
  };
  if (!isWatched(path)) return go();
  Operation operation("write", path);
  struct stat stats;
  if ((fcntl(fd, F_GETFL) & O_APPEND) != 0) offset = fstat(fd, &stats) == 0 ? stats.st_size : 0;
  else if (!isAt) offset = lseek(fd, 0, SEEK_CUR);
  ssize_t result = go();
  return operation.done(result, offset, bytes, result > 0 ? result : 0);
}

ssize_t writeVector(int fd, const struct iovec *parts, int count, bool isAt, off_t offset) {
  if (!isWatched(pathOf(fd)))
    return isAt ? syscall(SYS_pwritev, fd, parts, count, offset, 0) : syscall(SYS_writev, fd, parts, count);
  std::string bytes;
  for (int part = 0; part < count; part++) bytes.append(static_cast<char *>(parts[part].iov_base), parts[part].iov_len);
  return writeAny(fd, bytes.data(), bytes.size(), isAt, offset);
}

int truncateAny(int fd, off_t length) {
  std::string path = pathOf(fd);
  if (!isWatched(path)) return syscall(SYS_ftruncate, fd, length);
  Operation operation("truncate", path);
  return operation.done(syscall(SYS_ftruncate, fd, length), length);
}

template <typename Go>
int onPath(const char *kind, int at, const char *path, Go go) {
  std::string where = absolute(at, path);
  if (!isWatched(where)) return go();
  Operation operation(kind, where);
  return operation.done(go());
}

template <typename Go>
int onPaths(const char *kind, int at, const char *path, int otherAt, const char *other, Go go) {
  std::string from = absolute(at, path), to = absolute(otherAt, other);
  if (!isWatched(from) && !isWatched(to)) return go();
  Operation operation(kind, from, to);
  return operation.done(go());
}

template <typename Go>
long onFile(const char *kind, int fd, Go go) {
  std::string path = pathOf(fd);
  if (!isWatched(path)) return go();
  Operation operation(kind, path);
  return operation.done(go());
}

/** Ends a run that uses an unsupported function, which would be missing in the log. */
[[noreturn]] void unknown(const char *name) {
  fprintf(stderr, "file-operations: %s is not watched\n", name);
  abort();
}

}  // namespace

extern "C" {

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = modeOf(flags, arguments);
  va_end(arguments);
  return openAny(AT_FDCWD, path, flags, mode);
}
int openat(int at, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = modeOf(flags, arguments);
  va_end(arguments);
  return openAny(at, path, flags, mode);
}
int creat(const char *path, mode_t mode) { return openAny(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

ssize_t write(int fd, const void *bytes, size_t length) { return writeAny(fd, bytes, length, false, 0); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return writeAny(fd, bytes, length, true, offset); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return writeVector(fd, parts, count, false, 0); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return writeVector(fd, parts, count, true, offset); }
int ftruncate(int fd, off_t length) noexcept { return truncateAny(fd, length); }

int renameat2(int at, const char *from, int otherAt, const char *to, unsigned flags) noexcept {
  return onPaths("rename", at, from, otherAt, to, [&] { return syscall(SYS_renameat2, at, from, otherAt, to, flags); });
}
int renameat(int at, const char *from, int otherAt, const char *to) noexcept {
  return renameat2(at, from, otherAt, to, 0);
}
int rename(const char *from, const char *to) noexcept { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }
int mkdirat(int at, const char *path, mode_t mode) noexcept {
  return onPath("mkdir", at, path, [&] { return syscall(SYS_mkdirat, at, path, mode); });
}
int mkdir(const char *path, mode_t mode) noexcept { return mkdirat(AT_FDCWD, path, mode); }
int unlinkat(int at, const char *path, int flags) noexcept {
  const char *kind = (flags & AT_REMOVEDIR) != 0 ? "rmdir" : "unlink";
  return onPath(kind, at, path, [&] { return syscall(SYS_unlinkat, at, path, flags); });
}
int rmdir(const char *path) noexcept { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int unlink(const char *path) noexcept { return unlinkat(AT_FDCWD, path, 0); }
int remove(const char *path) noexcept {
  struct stat stats;
  return lstat(path, &stats) == 0 && S_ISDIR(stats.st_mode) ? rmdir(path) : unlink(path);
}
int link(const char *from, const char *to) noexcept {
  return onPaths("link", AT_FDCWD, from, AT_FDCWD, to, [&] { return syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0); });
}
int fsync(int fd) { return onFile("fsync", fd, [&] { return syscall(SYS_fsync, fd); }); }
int fdatasync(int fd) { return onFile("fsync", fd, [&] { return syscall(SYS_fdatasync, fd); }); }
int syncfs(int fd) noexcept { return onFile("syncfs", fd, [&] { return syscall(SYS_syncfs, fd); }); }

void sync() noexcept {
  if (shared == nullptr) {
    syscall(SYS_sync);
    return;
  }
  Operation operation("syncfs", *folder);
  operation.done(syscall(SYS_sync));
}
ssize_t sendfile(int to, int from, off_t *offset, size_t length) noexcept {
  if (isWatched(pathOf(to))) unknown("sendfile");
  return syscall(SYS_sendfile, to, from, offset, length);
}
ssize_t copy_file_range(int from, off64_t *offset, int to, off64_t *toOffset, size_t length, unsigned flags) {
  if (isWatched(pathOf(to))) unknown("copy_file_range");
  return syscall(SYS_copy_file_range, from, offset, to, toOffset, length, flags);
}
int truncate(const char *path, off_t length) noexcept {
  if (isWatched(absolute(AT_FDCWD, path))) unknown("truncate");
  return syscall(SYS_truncate, path, length);
}
int fallocate(int fd, int mode, off_t offset, off_t length) {
  if (isWatched(pathOf(fd))) unknown("fallocate");
  return syscall(SYS_fallocate, fd, mode, offset, length);
}
/** Offsets have 64 bits, so names that end in 64 are aliases. */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int at, const char *path, int flags, ...) __attribute__((alias("openat")));
ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) __attribute__((alias("pwrite")));
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) __attribute__((alias("pwritev")));
int ftruncate64(int fd, off_t length) noexcept __attribute__((alias("ftruncate")));
ssize_t sendfile64(int to, int from, off_t *offset, size_t length) noexcept __attribute__((alias("sendfile")));
}
