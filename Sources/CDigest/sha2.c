#include "sha2.h"

#include <string.h>

// FIPS 180-4. What SHA-256 counts with are the upper halves of SHA-512's words: all are the first bits of roots of primes.

/// Of the square roots of the first 8 primes.
static const uint64_t start[8] = {
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

/// Of the cube roots of the first 80 primes.
static const uint64_t constants[80] = {
  0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
  0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
  0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
  0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
  0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
  0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
  0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
  0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
  0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
  0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
  0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
  0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
  0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
  0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
  0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
  0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
  0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
  0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
  0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
  0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

#define ROTATED(x, n) ((x) >> (n) | (x) << (8 * sizeof(x) - (n)))
#define MIXED(x, a, b, c) (ROTATED(x, a) ^ ROTATED(x, b) ^ ROTATED(x, c))
#define SPREAD(x, a, b, c) (ROTATED(x, a) ^ ROTATED(x, b) ^ (x) >> (c))

/// Each round moves the words by one; instead of them the names move.
#define H(n) h[(n - i) % 8]

/// Takes one block of 16 words into the state. The two digests differ in the length of words, the rounds and how far bits
/// are rotated.
#define COMPRESS(name, word, rounds, upper, a1, a2, a3, e1, e2, e3, s1, s2, s3, t1, t2, t3) \
  static void name(uint64_t *state, const unsigned char *block) { \
    word w[rounds], h[8]; \
    for (size_t i = 0; i < 16; i++) { \
      w[i] = 0; \
      for (size_t byte = 0; byte < sizeof(word); byte++) w[i] = w[i] << 8 | *block++; \
    } \
    for (size_t i = 16; i < rounds; i++) { \
      w[i] = w[i - 16] + SPREAD(w[i - 15], s1, s2, s3) + w[i - 7] + SPREAD(w[i - 2], t1, t2, t3); \
    } \
    for (size_t i = 0; i < 8; i++) h[i] = (word)state[i]; \
    _Pragma("clang loop unroll_count(8)") for (size_t i = 0; i < rounds; i++) { \
      word chosen = (H(4) & H(5)) ^ (~H(4) & H(6)); \
      word most = (H(0) & H(1)) ^ (H(0) & H(2)) ^ (H(1) & H(2)); \
      word one = H(7) + MIXED(H(4), e1, e2, e3) + chosen + (word)(constants[i] >> upper) + w[i]; \
      H(3) += one; \
      H(7) = one + MIXED(H(0), a1, a2, a3) + most; \
    } \
    for (size_t i = 0; i < 8; i++) state[i] = (word)(state[i] + h[i]); \
  }

COMPRESS(compress_256, uint32_t, 64, 32, 2, 13, 22, 6, 11, 25, 7, 18, 3, 17, 19, 10)
COMPRESS(compress_512, uint64_t, 80, 0, 28, 34, 39, 14, 18, 41, 1, 8, 7, 19, 61, 6)

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/// SHA-256 by the processor's own instructions, which take four rounds at a time: ten times as fast.
__attribute__((target("sha,sse4.1,ssse3"))) static void compress_256_by_processor(
    uint64_t *state, const unsigned char *block) {
  const __m128i bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  uint32_t h[8];
  __m128i w[4];
  for (size_t i = 0; i < 8; i++) h[i] = (uint32_t)state[i];
  for (size_t i = 0; i < 4; i++) {
    w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + i), bytes);
  }
  // The words of the state as the instructions want them: a, b, e, f and c, d, g, h, the first uppermost.
  const __m128i abef = _mm_set_epi32(h[0], h[1], h[4], h[5]);
  const __m128i cdgh = _mm_set_epi32(h[2], h[3], h[6], h[7]);
  __m128i upper = abef, lower = cdgh;
#pragma clang loop unroll(full)
  for (size_t i = 0; i < 16; i++) {
    const uint64_t *c = constants + 4 * i;
    __m128i sum = _mm_add_epi32(
        w[i % 4], _mm_set_epi32(c[3] >> 32, c[2] >> 32, c[1] >> 32, c[0] >> 32));
    lower = _mm_sha256rnds2_epu32(lower, upper, sum);
    upper = _mm_sha256rnds2_epu32(upper, lower, _mm_shuffle_epi32(sum, 0x0e));
    __m128i last = w[(i + 3) % 4];
    sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]),
                        _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
    w[i % 4] = _mm_sha256msg2_epu32(sum, last);
  }
  _mm_storeu_si128((__m128i *)h, _mm_add_epi32(upper, abef));
  _mm_storeu_si128((__m128i *)(h + 4), _mm_add_epi32(lower, cdgh));
  const size_t places[8] = {3, 2, 7, 6, 1, 0, 5, 4};
  for (size_t i = 0; i < 8; i++) state[i] = h[places[i]];
}

/// Whether the processor has the instructions: SHA, SSE4.1 and SSSE3.
static bool has_instructions(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;
}

static void (*fastest_256(void))(uint64_t *, const unsigned char *) {
  static int known; // 1 without, 2 with the instructions: each thread finds the same.
  int found = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!found) __atomic_store_n(&known, found = 1 + has_instructions(), __ATOMIC_RELAXED);
  return found == 2 ? compress_256_by_processor : compress_256;
}
#else
static void (*fastest_256(void))(uint64_t *, const unsigned char *) { return compress_256; }
#endif

static size_t block_size(const struct sha2 *digest) { return 2 * digest->size; }

void sha2_begin(struct sha2 *digest, size_t size) {
  *digest = (struct sha2){.size = size};
  for (size_t i = 0; i < 8; i++) digest->state[i] = size == 64 ? start[i] : start[i] >> 32;
}

void sha2_update(struct sha2 *digest, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  const size_t block = block_size(digest);
  void (*compress)(uint64_t *, const unsigned char *) =
      digest->size == 64      ? compress_512
      : digest->is_portable ? compress_256
                            : fastest_256();
  while (count > 0) {
    size_t filled = digest->count % block;
    size_t taken = block - filled < count ? block - filled : count;
    if (taken == block) {
      compress(digest->state, next);
    } else {
      memcpy(digest->block + filled, next, taken);
      if (filled + taken == block) compress(digest->state, digest->block);
    }
    digest->count += taken;
    next += taken;
    count -= taken;
  }
}

void sha2_finish(struct sha2 *digest, unsigned char *result) {
  const size_t block = block_size(digest), word = digest->size / 8;
  // A bit that is set, then zeros, then the number of bits, which takes the last two words of a block.
  unsigned char end[2 * sizeof digest->block] = {0x80};
  size_t filled = digest->count % block;
  size_t length = (filled + 1 + 2 * word <= block ? block : 2 * block) - filled;
  for (size_t i = 0; i < 8; i++) end[length - 1 - i] = (unsigned char)(digest->count << 3 >> 8 * i);
  if (word == 8) end[length - 9] = (unsigned char)(digest->count >> 61);
  sha2_update(digest, end, length);
  for (size_t i = 0; i < digest->size; i++) {
    result[i] = (unsigned char)(digest->state[i / word] >> 8 * (word - 1 - i % word));
  }
}
