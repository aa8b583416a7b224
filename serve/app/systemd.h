// systemd's protocols, without its library: sockets that it opened, and what it is told.
#ifndef SV_APP_SYSTEMD_H
#define SV_APP_SYSTEMD_H

#include "serve/base/base.h"

// How many sockets the service manager has opened for this process, from descriptor 3 on. Takes the variables out of the environment.
uint32_t sv_systemd_sockets(void);
// "READY=1", "STOPPING=1", "WATCHDOG=1", "RELOADING=1". Nothing where nobody listens.
void sv_systemd_tell(const char *what);
// How often WATCHDOG=1 is wanted, half of what the manager waits; 0: not.
uint64_t sv_systemd_watchdog_ns(void);

#endif
