# AArch64 from another machine: Debian's cross gcc, and qemu to run what it makes. Libraries for the
# tests are Debian's own arm64 packages in /usr/lib/aarch64-linux-gnu (scripts/setup installs them).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
