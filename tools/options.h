// options: a subcommand's command line, by a table of what there is, so that each error says what was wrong and what was wanted.
//
//   uint64_t streams = 1;
//   const char *program = NULL;
//   const command_option table[] = {
//       {"--streams", OPTION_NUMBER, &streams, .least = 1, .most = 1024},
//       {"--json", OPTION_TEXT, &path, .wanted = "a file"},
//   };
//   if (!options_take(argc, argv, table, 2, &program)) ...         // was told on stderr
#ifndef MR_TOOLS_OPTIONS_H
#define MR_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
  OPTION_FLAG,     // bool: it is there
  OPTION_TEXT,     // const char *: as it stands, borrowed from argv
  OPTION_NUMBER,   // uint64_t, from `least` to `most`
  OPTION_DECIMAL,  // double, likewise
  OPTION_CALL,     // what `take` makes of it
} option_kind;

typedef struct command_option {
  const char *name;  // "--streams"
  option_kind kind;
  void *to;  // where the value goes, of the kind's type; what `take` is given
  double least, most;
  const char *wanted;  // what is no number: "a file"
  // False: it is not what is wanted, and that has not been told.
  bool (*take)(void *to, const char *value);
} command_option;

// Takes what stands in argv, where each option may stand more than once and the last one counts. What is no option is the program, of
// which there is one. False after saying on stderr what is wrong, or that there is no program.
bool options_take(int argc, char **argv, const command_option *table, size_t count, const char **out_program);

#endif
