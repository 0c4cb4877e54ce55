#ifndef BUILD_INFO_H
#define BUILD_INFO_H

/// The commit that was built, as whoever built it gave it in HEAVYWEIGHT_COMMIT; empty where nobody did.
const char *heavyweight_commit(void);

#endif
