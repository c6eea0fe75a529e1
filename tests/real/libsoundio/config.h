/* What libsoundio's CMake would write, as far as its ring buffer asks for it. */
