/* The hardware in Verilator behind an AXI4-Lite master and AXI DMAs in simple mode (PG021): what
 * programs reach through buses of theirs. DMA k moves for input k and output k. */
#ifndef SIM_H
#define SIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t sim_read(void* context, uint32_t offset);
void sim_write(void* context, uint32_t offset, uint32_t value);
/* `context`: an int, the DMA's number. */
uint32_t sim_dma_read(void* context, uint32_t offset);
void sim_dma_write(void* context, uint32_t offset, uint32_t value);
/* Memory that the hardware reaches from this address on; other reads are answered with an error.
 * DMAs take addresses that are nowhere as the program's own. */
void sim_memory(uint8_t* memory, uint64_t address, uint64_t bytes);
void sim_silence(int on);       /* of the memory: it answers nothing */
void sim_clocks(void* context); /* lets some pass */
int sim_interrupt(void);
uint64_t sim_clock_count(void);

#ifdef __cplusplus
}
#endif

#endif
