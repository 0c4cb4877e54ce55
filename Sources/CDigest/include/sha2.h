#ifndef SHA2_H
#define SHA2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A digest of bytes that come piece by piece: SHA-256 or SHA-512.
struct sha2 {
  /// Of the result, in bytes: 32 or 64.
  size_t size;
  /// Whether the processor's own instructions for SHA-256 are left alone.
  bool is_portable;
  uint64_t state[8];
  /// How many bytes came, and those of them that don't fill a block.
  uint64_t count;
  unsigned char block[128];
};

void sha2_begin(struct sha2 *digest, size_t size);
void sha2_update(struct sha2 *digest, const void *bytes, size_t count);
/// Writes as many bytes as the digest's size. Nothing may be added afterwards.
void sha2_finish(struct sha2 *digest, unsigned char *result);

#endif
