"""What the driver in Python uses of PYNQ, over the simulation: SIMULATION is its command."""

import os
import subprocess


class Buffer(bytearray):
    """Memory that the hardware sees at an address of its own, as it is at the last flush."""

    def flush(self):
        self.device_address = 0x20000000
        assert SIMULATIONS[-1].ask("memory", self.device_address, self.hex()) == "ok"


SIMULATIONS = []


def allocate(shape, dtype):
    return Buffer(shape[0])


class Simulation:
    def __init__(self):
        self.process = subprocess.Popen([os.environ["SIMULATION"], "serve"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        SIMULATIONS.append(self)

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def read(self, offset):
        return int(self.ask("r", offset))

    def write(self, offset, value):
        assert self.ask("w", offset, value) == "ok"


class Channel:
    def __init__(self, simulation, number, sources, sends):
        self.simulation, self.number, self.sends = simulation, number, sends
        self.stream = number if sends else sources + number

    def transfer(self, buffer):
        self.buffer = buffer
        if self.sends:
            self.simulation.ask("send", self.number, bytes(buffer).hex())
        else:
            self.simulation.ask("recv", self.number, len(buffer))

    def wait(self):
        for _ in range(1000):
            if self.simulation.ask("busy", self.stream) == "0":
                break
        else:
            raise RuntimeError("DMA channel not idle")
        if not self.sends:
            self.buffer[:] = bytes.fromhex(self.simulation.ask("got", self.number))


class Part:
    pass


class Overlay:
    def __init__(self, bitfile):
        self.simulation = Simulation()
        self.accelerator = Part()
        self.accelerator.mmio = self.simulation
        sources = int(os.environ["SOURCES"])
        for k in range(2):
            dma = Part()
            dma.sendchannel = Channel(self.simulation, k, sources, True)
            dma.recvchannel = Channel(self.simulation, k, sources, False)
            setattr(self, "dma_%d" % k, dma)
