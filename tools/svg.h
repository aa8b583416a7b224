// svg: draws the graphs that millrace_program_graph() describes, without Graphviz.
//
// Threads: any; one call at a time per file.
//
//   char *dot = ...;                       // from millrace_program_graph()
//   if (!svg_write(dot, file)) ...         // no memory, or not such a graph
#ifndef MR_TOOLS_SVG_H
#define MR_TOOLS_SVG_H

#include <stdbool.h>
#include <stdio.h>

// Of the DOT language this reads what the plan's pictures consist of: a statement a line, nodes before their edges, frames as
// subgraphs. False: without memory, or when a line is none of these.
bool svg_write(const char *dot, FILE *file);

#endif
