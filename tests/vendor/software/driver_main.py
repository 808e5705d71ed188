"""The driver in Python over the model of pynq.py; prints what is wrong, and then how much."""

import sys

import pynq
import toy_pynq

WRONG = []


def expect(condition, what):
    if not condition:
        WRONG.append(what)


def raises(kind, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        return error
    return None


def opened(fault=""):
    pynq.FAULT = fault
    return toy_pynq.open_overlay("toy.bit")


def frame(seed):
    image = b"".join((seed * k).to_bytes(8, "little") for k in range(6))
    return {"image": image, "bias": bytes(range(24))}


def good_frames():
    device = opened()
    for number in range(1, 6):
        device.load(frame(number))
        device.start()
        expect(raises(toy_pynq.HardwareError, device.start), "started twice")
        device.wait()
        scores = device.result()["scores"]
        expect(len(scores) == 32, "length of the output")
        for k in range(4):
            bias = int.from_bytes(bytes(range(24))[8 * (k % 3):8 * (k % 3) + 8], "little")
            word = int.from_bytes(scores[8 * k:8 * k + 8], "little")
            expect(word == (3 * number * k + bias) % (1 << 64), "word %d of frame %d" % (k, number))
        expect(raises(TimeoutError, device.wait, 0), "done was not cleared")
        counters = device.counters()
        expect(counters["frames"] == number, "frames")
        expect(counters["cycles"] > 1 << 32, "cycles of 64 bits")
        expect(counters["stalls"] == {"image": 11, "bias": 22, "scores": 33}, "stalls")


def failures():
    for fault in ("build", "design"):
        error = raises(toy_pynq.HardwareError, opened, fault)
        expect(error is not None and fault in str(error), "identity " + fault)
    device = opened("short")
    device.load(frame(1))
    device.start()
    error = raises(toy_pynq.HardwareError, device.wait)
    expect(error is not None and error.code == 1 and "TLAST" in str(error), "a short input")
    device = opened("hang")
    device.load(frame(1))
    device.start()
    expect(raises(TimeoutError, device.wait, 0.01), "a frame that does not end")
    expect(raises(RuntimeError, device.result), "outputs that never came")
    device.abort()
    expect(device.error() == 2, "aborted")
    expect(raises(ValueError, device.load, {"image": bytes(49), "bias": b""}), "an input too long")


def interrupts():
    device = opened()
    device.enable_interrupts(toy_pynq.INTERRUPT_STATUS_DONE)
    device.load(frame(3))
    device.start()
    device.wait()
    expect(device.take_interrupts() == 1 and device.take_interrupts() == 0, "interrupts")


def golden(folder):
    expect(opened().check(folder, 0) == 0 and opened().check(folder, 1) == 0, "golden vectors")
    expect(opened("word").check(folder, 1) == 1, "a wrong word")
    expect(raises(ValueError, opened().check, folder, 2), "a vector that there is not")


good_frames()
failures()
interrupts()
golden(sys.argv[1])
for text in WRONG + pynq.MISUSES:
    print(text)
print("%d wrong" % (len(WRONG) + len(pynq.MISUSES)))
