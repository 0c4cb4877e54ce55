#include "build_info.h"

#ifndef HEAVYWEIGHT_COMMIT
#define HEAVYWEIGHT_COMMIT ""
#endif

const char *heavyweight_commit(void) { return HEAVYWEIGHT_COMMIT; }
