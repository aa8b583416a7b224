// The same rows as in test_party.c, of a kind of party whose members share no addresses.
#define MODEL_BYTES
#include "tests/model/test_party.c"
