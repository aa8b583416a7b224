// Every number of this folder that was chosen by measuring (2-core KVM guest, Xeon of the Sapphire Rapids kind).
#ifndef MR_SCHEDULER_TUNING_H
#define MR_SCHEDULER_TUNING_H

// How long a worker without work looks around before it sleeps. Waking a sleeper costs 20 to 50 us here, an interrupt to an
// idle virtual core; spinning about as long never doubles what a wait costs, and it covers the serial gaps between the
// kernels of one program (1 to 20 us).
enum { MR_WORKER_SPIN_NS = 60000 };
// While spinning, the core is offered to others this often. A yield that takes longer than the second number let another
// thread run: the core is wanted, and the worker sleeps at once.
enum { MR_WORKER_YIELD_NS = 10000, MR_WORKER_CONTENDED_NS = 4000 };
// Pauses between two rounds of looking: one pause is about 40 ns here, a round of looking at two workers 10 ns. Rounds between
// two looks at the clock (25 ns).
enum { MR_WORKER_PAUSES = 4, MR_WORKER_ROUNDS = 8 };

// Items a worker's deque holds. When the deque is full the submitter runs the item itself.
enum { MR_DEQUE_CAPACITY = 4096 };
// What a thief takes at once from a deque with at least twice as many: a steal costs both sides about 150 ns of cache lines
// that change places, an empty task 10.
enum { MR_DEQUE_BATCH = 32 };
// With this many items ahead, and some for each worker, a worker or guest runs the next node that it submits itself, unless it
// is doing so already: others have enough to take, and a node that stays in this thread's cache costs 15 ns, one that moves
// to another thread and whose memory comes back 240.
enum { MR_DEQUE_ENOUGH = 64, MR_DEQUE_ENOUGH_PER_WORKER = 8 };
// A thief that was here less than so many ticks ago (about 0.7 us) and finds only a few items again waits for this many pauses
// first: taking tiny tasks one by one slows their maker down so much that there never are more (240 ns a task and not 30).
enum { MR_STEAL_AGAIN_TICKS = 1500, MR_STEAL_PAUSES = 12 };

// Calls of scopes. How many of the newest calls a thread keeps to itself: putting and taking them costs no fence, and a recursion of
// this depth is some hundred nanoseconds, so a thief that has to ask for them does not wait long.
enum { MR_CALLS_PRIVATE = 8 };
// With this many calls waiting a thread makes the next call itself: other threads have enough to take.
enum { MR_CALLS_ENOUGH = 128, MR_CALLS_CAPACITY = 256 };
// What a thief takes at once when there are twice as many public ones: as MR_DEQUE_BATCH. When a whole batch took no longer
// than so many ticks (about 1.5 us), its calls were so short that taking them cost their owner more than making them would
// have; the thief stays away for some times as long then (empty calls on two threads: 5 ns each and not 40).
enum { MR_CALLS_BATCH = 32, MR_CALLS_SHORT_TICKS = 3500, MR_CALLS_STAY_AWAY = 4 };

// Tasks an inbox holds before submitters run their own.
enum { MR_INBOX_LIMIT = 1 << 16 };

// parallel_for: less work than the first is done by the caller alone, unless one such loop follows the other; when workers spin, so that
// a share starts within 1 us and not after a wake-up, the second holds. Calls of 20 us each take 25 us alone and 19 so.
enum { MR_PARALLEL_MIN_NS = 60000, MR_PARALLEL_MIN_SPINNING_NS = 12000 };
// Another helper is worth waking for each of these.
enum { MR_PARALLEL_HELPER_NS = 40000 };
// Pieces per thread: the last piece is what threads wait for, 1 / (2 * 8) of the work on two threads. Of a long loop more of them, of
// this length, but not so many that they are all that a thread does.
enum { MR_PARALLEL_PIECES = 8, MR_PARALLEL_MOST_PIECES = 128, MR_PARALLEL_PIECE_NS = 100000 };
// A loop's tiles lie in so many stripes at most, one for each thread that may take part.
enum { MR_PARALLEL_STRIPES = 16 };
// How long the caller spins for the last pieces of others before it sleeps.
enum { MR_PARALLEL_SPIN_NS = 50000 };

// parallel_for calls that may be open in a group at once, and threads that may be guests at once; more run alone.
enum { MR_GROUP_JOBS = 8, MR_SCHEDULER_GUESTS = 16 };
// Groups of a scheduler, which differ in their range of workers.
enum { MR_SCHEDULER_GROUPS = 1024 };

// How much stack a thread that is not the scheduler's may use, from where it enters, for tasks that wait inside tasks.
enum { MR_GUEST_STACK_BYTES = 256 << 10 };
// A task that waits with a deadline looks for other work so often, at first and when there has been none for a while.
enum { MR_WAIT_SLICE_MIN_NS = 50000, MR_WAIT_SLICE_MAX_NS = 1000000 };

// A worker that has been inside a call of the host's for the first gets a substitute. The watcher looks as often, and less often
// when there is nothing to do, down to the second while somebody is inside, and to the third otherwise (a look with nothing to see takes
// 2 us and a wake-up: a millisecond apart they and their new beginnings took 2% of a loop of executions of 450 us, each of which tells
// its host of its end); after so many looks that see nobody inside a call, and that none has begun, it sleeps. A substitute that nobody
// needs ends after the last.
enum {
  MR_HOST_CALL_NS = 100000,
  MR_WATCH_MOST_NS = 1000000,
  MR_WATCH_SELDOM_NS = 4000000,
  MR_WATCH_QUIET_LOOKS = 20,
  MR_SUBSTITUTE_REST_NS = 1000000000
};
// As many workers inside such calls have a substitute at once; more are not replaced.
enum { MR_SCHEDULER_SUBSTITUTES = 256 };

// At process exit, running tasks get this long to end before the exit functions of other libraries pull things away.
enum { MR_EXIT_WAIT_NS = 100000000 };
// A process that is there for so long after it began to end waits for something: what is queued is cancelled then. Taking JAX apart
// takes some milliseconds.
enum { MR_EXIT_STAND_NS = 500000000 };
// A fork waits for as long that the workers are between two tasks: what they are in the middle of would be lost to the child.
enum { MR_FORK_WAIT_NS = 100000000 };
// How often workers look how many processing units there are: it takes a microsecond for each two workers.
enum { MR_UNITS_LOOK_NS = 100000000 };
// So many times less often they look at the control groups' quota.
enum { MR_UNITS_LOOKS_PER_QUOTA = 16 };
// A thread of events that has had nothing to wait for so long ends.
enum { MR_REACTOR_REST_NS = 50000000 };
// How often a thread that stands still because of either looks whether it may go on.
enum { MR_HOLD_LOOK_NS = 5000000 };

#endif
