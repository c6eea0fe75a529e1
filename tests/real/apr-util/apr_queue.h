#include "apr.h"
