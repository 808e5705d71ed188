/* Hardware and DMAs as a program sees them, written from what the table of registers and PG021 say
 * and without the generated header. The hardware has inputs of 6 and 3 lines of 64 bits and an
 * output of 4: line k is 3 times line k of the first plus line k % 3 of the second. */
#ifndef MODEL_H
#define MODEL_H

#include "toy.h"

enum model_fault {
    NO_FAULT,
    WRONG_BUILD_FAULT,
    WRONG_DESIGN_FAULT,
    NO_HARDWARE_FAULT, /* every read gives ones */
    HANG_FAULT,        /* frames never end, but for aborts */
    DEAF_FAULT,        /* nor then */
    SILENT_FAULT,      /* nor before an abort that is asked for twice: a source ends no packet */
    SHORT_FAULT,       /* an input's TLAST comes early */
    DMA_FAULT,         /* the DMA reports an error of the memory */
    WRONG_WORD_FAULT   /* of the output */
};

/* Forgets everything. */
void model_reset(enum model_fault fault);
void model_set_fault(enum model_fault fault);

struct toy_bus model_control(void);
/* 0: of the first input and the output; 1: of the second input. */
struct toy_bus model_dma(int number);

/* Whether the interrupt line is high. */
int model_interrupt(void);
/* Where the counter of clocks stands, and how much each access adds to it. */
void model_set_cycles(uint64_t cycles, uint64_t each);
/* Writes to addresses that there are not, and the like: 0 is right. */
int model_misuses(void);

#endif
