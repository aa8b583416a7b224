// faulty_party: bytes_party, with messages that are late, or members that die.
#ifndef MR_TESTS_COMPILER_FAULTY_PARTY_H
#define MR_TESTS_COMPILER_FAULTY_PARTY_H

#include "tests/compiler/bytes_party.h"

// Which parties the process makes from now on, by the variable MILLRACE_TEST_PARTY: "bytes", "late": messages are carried by another thread, any
// time later, in any order but for those that one member has sent another; not set: those of the engine.
void party_from_environment(void);

// One member dies when it comes to something for the `step`-th time, its end included, counted from 0 and anew with each call of this.
void party_kills(uint32_t member, uint32_t step);
// Whether it has. Then it dies no more.
bool party_has_killed(void);
extern const mr_party_kind mortal_party;

#endif
