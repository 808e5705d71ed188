/* The board of the check is the simulation. */
#include "sim.h"
#include "toy_board.h"

#include <string.h>

const char *const toy_board_usage = "nothing";

#ifdef TOY_WEIGHTS_BYTES
#define WEIGHTS (TOY_WEIGHTS_BYTES + TOY_WEIGHTS_ALIGNMENT)
#else
#define WEIGHTS 0
#endif
/* As the hardware sees it. */
#define ADDRESS 0x1240000000u

static uint8_t memory[TOY_STREAMS * 65536 + WEIGHTS];

int toy_board_open(struct toy_board *board, int count, char **arguments)
{
    static int numbers[TOY_STREAMS];
    int i;
    (void)count;
    (void)arguments;
    memset(board, 0, sizeof *board);
    board->control.read = sim_read;
    board->control.write = sim_write;
    board->control.relax = sim_clocks;
    for (i = 0; i < TOY_STREAMS; ++i) {
        numbers[i] = i < TOY_INPUTS ? i : i - TOY_INPUTS;
        board->dma.channel[i].context = &numbers[i];
        board->dma.channel[i].read = sim_dma_read;
        board->dma.channel[i].write = sim_dma_write;
        board->dma.channel[i].relax = sim_clocks;
    }
    board->memory = memory;
    sim_memory(memory, ADDRESS, sizeof memory);
    board->address = ADDRESS;
    board->bytes = sizeof memory;
    board->interrupt = -1;
    return 0;
}

void toy_board_close(struct toy_board *board) { memset(board, 0, sizeof *board); }

int toy_board_interrupt(struct toy_board *board, int milliseconds)
{
    (void)board;
    (void)milliseconds;
    return sim_interrupt();
}
