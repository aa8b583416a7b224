// The subcommands of bin/millrace that have files of their own. Arguments without the subcommand's name; what they return is
// the exit status.
#ifndef MR_TOOLS_COMMANDS_H
#define MR_TOOLS_COMMANDS_H

#include <stdbool.h>

#include "millrace/millrace.h"

int command_devices(int argc, char **argv);  // devices
int command_bench(int argc, char **argv);    // bench PROGRAM
int command_show(int argc, char **argv);     // show PROGRAM
int command_run(int argc, char **argv);      // run PROGRAM [--input FILE]...
int command_trace(int argc, char **argv);    // trace [-o FILE] -- COMMAND...
int command_graph(int argc, char **argv);    // graph PROGRAM [-o FILE]

// Of a trace's file (trace_summary.c). False after saying on stderr what is wrong.
bool trace_summary(const char *path);
// How long all devices together were busy in it with executions, without those whose duration was not measured. False: it cannot be read.
bool trace_devices_busy(const char *path, double *out_ns);
// Says what is wrong on stderr, and frees the error. True: nothing is.
bool command_report(millrace_error *error);
// Whether the arguments begin with --help.
bool command_wants_help(int argc, char **argv);

#endif
