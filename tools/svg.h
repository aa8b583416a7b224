// svg: draws the graphs that millrace_program_graph() describes, without Graphviz, and words in other pictures.
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

// `size` bytes of words, of which nothing is taken for markup. `anchor`: what of them is at x, "start", "middle" or "end".
void svg_text(FILE *file, double x, double y, const char *anchor, const char *text, size_t size);

#endif
