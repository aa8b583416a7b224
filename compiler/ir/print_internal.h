// print_internal: what print.c and print_attr.c share. Appends to a mr_text; memory errors stay in the text.
#ifndef MR_COMPILER_IR_PRINT_INTERNAL_H
#define MR_COMPILER_IR_PRINT_INTERNAL_H

#include "compiler/ir/ir.h"

void mr_print_type(mr_text *text, const mr_type *type);
void mr_print_string(mr_text *text, mr_str string);      // in quotes
void mr_print_symbol(mr_text *text, mr_str name);        // @name or @"odd name"
void mr_print_dict(mr_text *text, const mr_attr *dict);  // {..}; "" for NULL

#endif
