#ifndef THREADER_FEATURES_H
#define THREADER_FEATURES_H
#include <sys/cdefs.h>
#endif
