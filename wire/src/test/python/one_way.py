"""Writes a capture of one direction only of each connection: 200 messages go into a gateway, a
millisecond apart, and each comes out to 3 consumers, 100,001, 100,002 ... ns later. A packet has one
message; no packet acknowledges anything. Usage: one_way.py FILE
"""
import struct
import sys

BEGIN_NS = 1_795_000_000_000_000_000


def fix(fields):
    body = "".join(f"{field}\x01" for field in fields)
    text = f"8=FIX.4.4\x019={len(body)}\x01{body}"
    return f"{text}10={sum(text.encode()) % 256:03}\x01".encode()


def packet(source, destination, sequence, payload):
    tcp = struct.pack("!HHIIBBHHH", source, destination, sequence, 1, 0x50, 0x10, 65535, 0, 0)
    host_in, host_out = b"\x0a\0\0\x02", b"\x0a\0\0\x01"
    hosts = host_in + host_out if destination == 3000 else host_out + host_in
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 40 + len(payload), 0, 0x4000, 64, 6, 0) + hosts
    return b"\0" * 12 + b"\x08\0" + ip + tcp + payload


packets = []
sequences = {}


def send(time_ns, source, destination, fields):
    payload = fix(fields)
    sequence = sequences.get((source, destination), 1)
    sequences[(source, destination)] = sequence + len(payload)
    packets.append((time_ns, packet(source, destination, sequence, payload)))


for i in range(200):
    in_ns = BEGIN_NS + i * 1_000_000
    send(in_ns, 5000, 3000, ["35=W", "49=P", "56=G", f"9703={i:05}", "55=EUR"])
    for copy in range(3):
        latency_ns = 100_001 + 3 * i + copy
        send(in_ns + latency_ns, 3001, 6000 + copy,
             ["35=W", "49=G", f"56=C{copy}", f"9703={i:05}", "55=EUR"])

with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, 1))
    for time_ns, data in packets:
        file.write(struct.pack("<IIII", time_ns // 10**9, time_ns % 10**9, len(data), len(data)))
        file.write(data)
