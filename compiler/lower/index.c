#include "compiler/lower/index.h"

#include <string.h>

#define MAX_TERMS 64
#define FIRST_BUCKETS 64

typedef struct sum {
  int64_t constant;
  uint32_t n;
  mr_ix_term terms[MAX_TERMS];
} sum;

void mr_ix_table_init(mr_ix_table *table, mr_arena *arena, jmp_buf *no_memory) {
  memset(table, 0, sizeof *table);
  table->arena = arena;
  table->no_memory = no_memory;
}

static void *take(mr_ix_table *table, size_t size) {
  void *memory = mr_arena_alloc(table->arena, size);
  if (!memory) {
    longjmp(*table->no_memory, 1);
  }
  return memory;
}

static int64_t floor_div(int64_t a, int64_t d) {
  int64_t q = a / d;
  return a % d < 0 ? q - 1 : q;
}

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t t = a % b;
    a = b;
    b = t;
  }
  return a < 0 ? -a : a;
}

static void sum_term(mr_ix_table *table, sum *s, mr_ix_atom *atom, int64_t coef) {
  uint32_t i = 0;
  while (i < s->n && s->terms[i].atom->id < atom->id) {
    i++;
  }
  if (i < s->n && s->terms[i].atom == atom) {
    s->terms[i].coef += coef;
    if (s->terms[i].coef == 0) {
      memmove(&s->terms[i], &s->terms[i + 1], (s->n - i - 1) * sizeof s->terms[0]);
      s->n--;
    }
    return;
  }
  if (coef == 0) {
    return;
  }
  if (s->n == MAX_TERMS) {
    table->failed = true;
    return;
  }
  memmove(&s->terms[i + 1], &s->terms[i], (s->n - i) * sizeof s->terms[0]);
  s->terms[i] = (mr_ix_term){atom, coef};
  s->n++;
}

static void sum_add(mr_ix_table *table, sum *s, const mr_ix *a, int64_t factor) {
  s->constant += a->constant * factor;
  for (uint32_t i = 0; i < a->num_terms; i++) {
    sum_term(table, s, a->terms[i].atom, a->terms[i].coef * factor);
  }
}

// c * (x % d) + (c * d) * (x / d) is c * x. The quotient's atom may have another form (x itself a quotient), so it is
// built again and compared.
static bool sum_join_once(mr_ix_table *table, sum *s) {
  for (uint32_t i = 0; i < s->n; i++) {
    mr_ix_atom *mod = s->terms[i].atom;
    if (mod->kind != MR_IX_MOD) {
      continue;
    }
    int64_t c = s->terms[i].coef;
    const mr_ix *quotient = mr_ix_div(table, mod->x, mod->d);
    if (quotient->num_terms != 1 || quotient->constant != 0 || quotient->terms[0].coef != 1) {
      continue;
    }
    mr_ix_atom *div = quotient->terms[0].atom;
    for (uint32_t k = 0; k < s->n; k++) {
      if (s->terms[k].atom != div || s->terms[k].coef != c * mod->d) {
        continue;
      }
      sum_term(table, s, mod, -c);
      sum_term(table, s, div, -c * mod->d);
      sum_add(table, s, mod->x, c);
      return true;
    }
  }
  return false;
}

static mr_ix **bucket_of(mr_ix_table *table, uint64_t hash) {
  return &table->buckets[hash >> 32 & (table->num_buckets - 1)];
}

static void grow(mr_ix_table *table) {
  mr_ix **old = table->buckets;
  uint32_t num_old = table->num_buckets;
  uint32_t num = num_old ? 4 * num_old : FIRST_BUCKETS;
  table->buckets = take(table, num * sizeof(mr_ix *));
  table->num_buckets = num;
  for (uint32_t i = 0; i < num_old; i++) {
    for (mr_ix *a = old[i], *next; a; a = next) {
      next = a->next;
      mr_ix **bucket = bucket_of(table, a->hash);
      a->next = *bucket;
      *bucket = a;
    }
  }
}

static const mr_ix *intern(mr_ix_table *table, sum *s) {
  while (s->n > 1 && sum_join_once(table, s)) {
  }
  uint64_t hash = (uint64_t)s->constant * 0x9E3779B97F4A7C15u;
  for (uint32_t i = 0; i < s->n; i++) {
    hash = (hash ^ s->terms[i].atom->id ^ ((uint64_t)s->terms[i].coef << 20)) * 0x9E3779B97F4A7C15u;
  }
  if (table->num_sums == table->num_buckets) {
    grow(table);
  }
  mr_ix **bucket = bucket_of(table, hash);
  for (mr_ix *a = *bucket; a; a = a->next) {
    if (a->hash == hash && a->constant == s->constant && a->num_terms == s->n &&
        memcmp(a->terms, s->terms, s->n * sizeof s->terms[0]) == 0) {
      return a;
    }
  }
  mr_ix *a = take(table, sizeof *a + s->n * sizeof s->terms[0]);
  a->terms = (mr_ix_term *)(a + 1);
  a->constant = a->lo = a->hi = s->constant;
  a->hash = hash;
  a->num_terms = s->n;
  for (uint32_t i = 0; i < s->n; i++) {
    const mr_ix_atom *atom = s->terms[i].atom;
    int64_t coef = s->terms[i].coef;
    a->terms[i] = s->terms[i];
    a->lo += coef * (coef > 0 ? atom->lo : atom->hi);
    a->hi += coef * (coef > 0 ? atom->hi : atom->lo);
    a->vars |= atom->vars;
  }
  a->next = *bucket;
  *bucket = a;
  table->num_sums++;
  return a;
}

const mr_ix *mr_ix_const(mr_ix_table *table, int64_t value) {
  sum s;
  s.constant = value;
  s.n = 0;
  return intern(table, &s);
}

static mr_ix_atom *new_atom(mr_ix_table *table, mr_ix_kind kind) {
  mr_ix_atom *atom = take(table, sizeof *atom);
  atom->kind = (uint8_t)kind;
  atom->id = ++table->num_atoms;
  atom->next = table->atoms;
  table->atoms = atom;
  return atom;
}

static const mr_ix *of_atom(mr_ix_table *table, mr_ix_atom *atom) {
  sum s;
  s.constant = 0;
  s.n = 1;
  s.terms[0] = (mr_ix_term){atom, 1};
  return intern(table, &s);
}

const mr_ix *mr_ix_loop(mr_ix_table *table, uint32_t bit, int64_t lo, int64_t hi) {
  mr_ix_atom *atom = new_atom(table, MR_IX_LOOP);
  atom->lo = lo;
  atom->hi = hi < lo ? lo : hi;
  atom->vars = 1ull << (bit & 63);
  return of_atom(table, atom);
}

const mr_ix *mr_ix_dyn(mr_ix_table *table, const mr_value *value, mr_index at, bool clamped, int64_t lo, int64_t hi) {
  if (clamped && lo >= hi) {
    return mr_ix_const(table, lo);
  }
  for (mr_ix_atom *a = table->atoms; a; a = a->next) {
    if (a->kind == MR_IX_DYN && a->value == value && a->clamped == clamped && a->lo == lo && a->hi == hi &&
        mr_index_equal(a->at, at)) {
      return of_atom(table, a);
    }
  }
  mr_ix_atom *atom = new_atom(table, MR_IX_DYN);
  atom->value = value;
  atom->clamped = clamped;
  atom->lo = lo;
  atom->hi = hi;
  atom->at = at;
  if (at.n) {
    const mr_ix **copy = take(table, at.n * sizeof at.at[0]);
    memcpy(copy, at.at, at.n * sizeof at.at[0]);
    atom->at.at = copy;
  }
  for (uint32_t i = 0; i < atom->at.n; i++) {
    atom->vars |= at.at[i]->vars;
  }
  return of_atom(table, atom);
}

const mr_ix *mr_ix_add(mr_ix_table *table, const mr_ix *a, const mr_ix *b) {
  sum s;
  s.constant = 0;
  s.n = 0;
  sum_add(table, &s, a, 1);
  sum_add(table, &s, b, 1);
  return intern(table, &s);
}

const mr_ix *mr_ix_plus(mr_ix_table *table, const mr_ix *a, int64_t constant) {
  if (constant == 0) {
    return a;
  }
  sum s;
  s.constant = constant;
  s.n = 0;
  sum_add(table, &s, a, 1);
  return intern(table, &s);
}

const mr_ix *mr_ix_scale(mr_ix_table *table, const mr_ix *a, int64_t factor) {
  if (factor == 1) {
    return a;
  }
  sum s;
  s.constant = 0;
  s.n = 0;
  if (factor != 0) {
    sum_add(table, &s, a, factor);
  }
  return intern(table, &s);
}

const mr_ix *mr_ix_sub(mr_ix_table *table, const mr_ix *a, const mr_ix *b) {
  return mr_ix_add(table, a, mr_ix_scale(table, b, -1));
}

static mr_ix_atom *find_quotient(mr_ix_table *table, mr_ix_kind kind, const mr_ix *x, int64_t d) {
  for (mr_ix_atom *a = table->atoms; a; a = a->next) {
    if (a->kind == kind && a->x == x && a->d == d) {
      return a;
    }
  }
  mr_ix_atom *atom = new_atom(table, kind);
  atom->x = x;
  atom->d = d;
  atom->vars = x->vars;
  if (kind == MR_IX_DIV) {
    atom->lo = floor_div(x->lo, d);
    atom->hi = floor_div(x->hi, d);
  } else {
    atom->lo = 0;
    atom->hi = MR_MIN(d - 1, x->hi);
  }
  return atom;
}

// Splits a into d * q + r: terms whose factor d divides go to q.
static void split(mr_ix_table *table, const mr_ix *a, int64_t d, sum *q, sum *r) {
  q->n = r->n = 0;
  q->constant = floor_div(a->constant, d);
  r->constant = a->constant - q->constant * d;
  for (uint32_t i = 0; i < a->num_terms; i++) {
    mr_ix_term t = a->terms[i];
    if (t.coef % d == 0) {
      sum_term(table, q, t.atom, t.coef / d);
    } else {
      sum_term(table, r, t.atom, t.coef);
    }
  }
}

static int64_t common_factor(const sum *r, int64_t d) {
  int64_t g = d;
  for (uint32_t i = 0; i < r->n; i++) {
    g = gcd(g, r->terms[i].coef);
  }
  return g;
}

static void divide_out(sum *r, int64_t g) {
  for (uint32_t i = 0; i < r->n; i++) {
    r->terms[i].coef /= g;
  }
  r->constant = floor_div(r->constant, g);
}

static const mr_ix_atom *single_atom(const mr_ix *a) {
  return a->num_terms == 1 && a->constant == 0 && a->terms[0].coef == 1 ? a->terms[0].atom : NULL;
}

// r / d where d divides no factor of r and shares none with all of them.
static const mr_ix *div_rest(mr_ix_table *table, const mr_ix *r, int64_t d) {
  int64_t first = floor_div(r->lo, d), last = floor_div(r->hi, d);
  if (first == last) {
    return mr_ix_const(table, first);
  }
  const mr_ix_atom *atom = single_atom(r);
  if (atom && atom->kind == MR_IX_DIV) {
    return mr_ix_div(table, atom->x, atom->d * d);
  }
  if (atom && atom->kind == MR_IX_MOD && atom->d % d == 0) {
    return mr_ix_mod(table, mr_ix_div(table, atom->x, d), atom->d / d);
  }
  if (first < 0) {
    r = mr_ix_plus(table, r, -first * d);
    return mr_ix_plus(table, of_atom(table, find_quotient(table, MR_IX_DIV, r, d)), first);
  }
  return of_atom(table, find_quotient(table, MR_IX_DIV, r, d));
}

static const mr_ix *mod_rest(mr_ix_table *table, const mr_ix *r, int64_t d) {
  int64_t first = floor_div(r->lo, d), last = floor_div(r->hi, d);
  if (first == last) {
    return mr_ix_plus(table, r, -first * d);
  }
  const mr_ix_atom *atom = single_atom(r);
  if (atom && atom->kind == MR_IX_MOD && atom->d % d == 0) {
    return mr_ix_mod(table, atom->x, d);
  }
  if (first < 0) {
    r = mr_ix_plus(table, r, -first * d);
  }
  return of_atom(table, find_quotient(table, MR_IX_MOD, r, d));
}

const mr_ix *mr_ix_div(mr_ix_table *table, const mr_ix *a, int64_t d) {
  if (d <= 0) {
    return mr_ix_const(table, 0);  // a dimension of size zero: never runs
  }
  if (d == 1) {
    return a;
  }
  sum q, r;
  split(table, a, d, &q, &r);
  int64_t g = common_factor(&r, d);
  divide_out(&r, g);
  const mr_ix *rest = div_rest(table, intern(table, &r), d / g);
  sum_add(table, &q, rest, 1);
  return intern(table, &q);
}

const mr_ix *mr_ix_mod(mr_ix_table *table, const mr_ix *a, int64_t d) {
  if (d <= 1) {
    return mr_ix_const(table, 0);
  }
  sum q, r;
  split(table, a, d, &q, &r);
  int64_t g = common_factor(&r, d);
  int64_t low = r.constant - floor_div(r.constant, g) * g;
  divide_out(&r, g);
  const mr_ix *rest = mod_rest(table, intern(table, &r), d / g);
  return mr_ix_plus(table, mr_ix_scale(table, rest, g), low);
}

int64_t mr_ix_coef(const mr_ix *a, const mr_ix *loop) {
  if (!loop->num_terms) {
    return 0;
  }
  for (uint32_t i = 0; i < a->num_terms; i++) {
    if (a->terms[i].atom == loop->terms[0].atom) {
      return a->terms[i].coef;
    }
  }
  return 0;
}

bool mr_ix_is_linear_in(const mr_ix *a, const mr_ix *loop) {
  if (!loop->num_terms) {
    return true;
  }
  const mr_ix_atom *atom = loop->terms[0].atom;
  for (uint32_t i = 0; i < a->num_terms; i++) {
    if (a->terms[i].atom != atom && (a->terms[i].atom->vars & atom->vars)) {
      return false;
    }
  }
  return true;
}
