/* The examples' board is the model; its argument is a fault's number. */
#include "model.h"
#include "toy_board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const toy_board_usage = "FAULT";

static uint8_t memory[3 * 4096];

int toy_board_open(struct toy_board *board, int count, char **arguments)
{
    memset(board, 0, sizeof *board);
    model_reset(count > 0 ? (enum model_fault)atoi(arguments[0]) : NO_FAULT);
    board->control = model_control();
    board->dma.channel[0] = model_dma(0);
    board->dma.channel[1] = model_dma(1);
    board->dma.channel[2] = model_dma(0);
    board->memory = memory;
    board->address = (uintptr_t)memory;
    board->bytes = sizeof memory;
    board->interrupt = -1;
    return 0;
}

void toy_board_close(struct toy_board *board)
{
    if (model_misuses() != 0)
        printf("%d misuses\n", model_misuses());
    memset(board, 0, sizeof *board);
}

int toy_board_interrupt(struct toy_board *board, int milliseconds)
{
    const struct toy_bus bus = model_control();
    (void)board;
    while (!model_interrupt() && milliseconds-- > 0)
        (void)bus.read(bus.context, 0);
    return model_interrupt();
}
