#include "pthread_impl.h"
