// version: of the library, as hosts are told and files of compiled programs say. tools/release.py changes it.
#ifndef MR_CORE_VERSION_H
#define MR_CORE_VERSION_H

#define MILLRACE_VERSION "0.2.0"

#endif
