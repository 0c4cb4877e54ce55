#ifndef BUILD_INFO_H
#define BUILD_INFO_H

/// The commit that was built, as whoever built it gave it in HEAVYWEIGHT_COMMIT; empty where nobody did.
const char *heavyweight_commit(void);

/// The text of a file that is part of the tool: a schema, the words of `explain`, what pages and exported tests have in
/// common. NULL where there is none of that name.
const char *heavyweight_built_in_file(const char *name);

#endif
