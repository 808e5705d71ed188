// The driver in C11: header of the registers, driver, data movement, examples, check on the board.
//
//   sw/NAME_regs.h         offsets, masks, shifts, errors, identity    sw/NAME.h NAME.c  the driver
//   sw/NAME_dma.h .c       frames by AXI DMAs in simple mode           sw/NAME_bare_metal.c
//   sw/NAME_board.h NAME_uio.c   the board under Linux                 sw/NAME_linux.c  an example
//   sw/NAME_check.c        a golden vector on the board                sw/Makefile
// Those behind the driver only where frames can move; they are for devices of AMD, whose DMA that
// is. Addresses are those of the system (boards.h). Thread rule: pure.
#pragma once

#include "engine/support/folders.h"
#include "engine/vendor/project.h"

namespace marquetry::vendor {

/// The project has registers and streams.
files::FolderFiles cDriverFiles(const Project& project);

} // namespace marquetry::vendor
