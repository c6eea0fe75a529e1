/* Asked for by glibc when its headers are read for a 32-bit data model; holds nothing that matters here. */
