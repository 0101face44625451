"""A disk that records what is written to it: a file system (FUSE) of one file, to be used as a loop device.

    recorder.py IMAGE LOG PLACE

PLACE, an empty file, becomes IMAGE until it is unmounted. LOG gets a record of each request, in order: the
offset, the length (both little-endian, 64 bits) and the bytes of what was written, or twice 2^64-1 where the
system asked that everything written so far be on the disk. Says "ready" once it is mounted.
"""

import ctypes
import os
import stat
import struct
import sys

GETATTR, SETATTR, OPEN, READ, WRITE = 3, 4, 14, 15, 16
STATFS, RELEASE, FSYNC, FLUSH, INIT = 17, 18, 20, 25, 26
FORGET, BATCH_FORGET, INTERRUPT, DESTROY = 2, 42, 36, 38
ENOSYS = 38
BIG_WRITES, MAX_PAGES = 1 << 5, 1 << 22
LARGEST = 1 << 20
ALL = 2**64 - 1


def attributes(image):
    size = os.fstat(image).st_size
    # ino, size, blocks, three times, their nanoseconds, mode, nlink, uid, gid, rdev, blksize, flags
    mode = stat.S_IFREG | 0o600
    return struct.pack("<6Q10I", 1, size, size // 512, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer(operation, body, image, log):
    if operation == INIT:
        flags = BIG_WRITES | MAX_PAGES
        return struct.pack("<4I2H2I2H8I", 7, 31, LARGEST, flags, 8, 8, LARGEST, 1, LARGEST // 4096, 0, *[0] * 8)
    if operation in (GETATTR, SETATTR):
        return struct.pack("<QII", 3600, 0, 0) + attributes(image)
    if operation == OPEN:
        return struct.pack("<QII", 0, 0, 0)
    if operation == READ:
        _, offset, size = struct.unpack_from("<QQI", body)
        return os.pread(image, size, offset)
    if operation == WRITE:
        _, offset, size = struct.unpack_from("<QQI", body)
        data = body[40 : 40 + size]
        os.pwrite(image, data, offset)
        os.write(log, struct.pack("<QQ", offset, size) + data)
        return struct.pack("<II", size, 0)
    if operation == FSYNC:
        os.write(log, struct.pack("<QQ", ALL, ALL))
        return b""
    if operation in (FLUSH, RELEASE, DESTROY):
        return b""
    if operation == STATFS:
        return struct.pack("<5Q10I", 0, 0, 0, 0, 0, 4096, 255, *[0] * 8)
    return None


def main():
    image = os.open(sys.argv[1], os.O_RDWR)
    log = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=100600,user_id=0,group_id=0"
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"recorder", os.fsencode(sys.argv[3]), b"fuse", 0, options.encode()) != 0:
        sys.exit("cannot mount: " + os.strerror(ctypes.get_errno()))
    print("ready", flush=True)
    while True:
        try:
            request = os.read(device, LARGEST + 4096)
        except OSError:
            # It was unmounted.
            return
        _, operation, unique = struct.unpack_from("<IIQ", request)
        if operation in (FORGET, BATCH_FORGET, INTERRUPT):
            continue
        body = answer(operation, request[40:], image, log)
        error = -ENOSYS if body is None else 0
        body = body or b""
        os.write(device, struct.pack("<IiQ", 16 + len(body), error, unique) + body)


main()
