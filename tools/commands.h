// The subcommands of bin/millrace that have files of their own. Arguments without the subcommand's name; what they return is
// the exit status.
#ifndef MR_TOOLS_COMMANDS_H
#define MR_TOOLS_COMMANDS_H

int command_trace(int argc, char **argv);  // trace [-o FILE] -- COMMAND...
int command_graph(int argc, char **argv);  // graph PROGRAM [-o FILE]

#endif
