import { describe, expect, it } from 'vitest';
import { FrameStream, frameBytes, readFrame } from '../../main/page/wire/binary';
import { LineStream, readText } from '../../main/page/wire/json';
import type { Note, Sink } from '../../main/page/wire/tick';

class Heard implements Sink {
  messages: number[][] = [];
  frames: number[][] = [];
  notes: Note[] = [];

  message(...fields: number[]): void {
    this.messages.push(fields);
  }

  frame(...fields: number[]): void {
    this.frames.push(fields);
  }

  note(note: Note): void {
    this.notes.push(note);
  }
}

/** A frame as the server writes it. */
function frame(count: number, ordinal: number, stride = 40): Uint8Array {
  const bytes = new Uint8Array(32 + count * stride);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 1);
  view.setUint8(1, 1);
  view.setUint16(2, stride, true);
  view.setUint32(4, count, true);
  view.setBigUint64(8, 7n, true);
  view.setBigUint64(24, BigInt(ordinal), true);
  for (let i = 0; i < count; i++) {
    const at = 32 + i * stride;
    view.setBigInt64(at, 5_000_000_000n + BigInt(i), true);
    view.setUint32(at + 8, 11, true);
    view.setUint32(at + 12, 3, true);
    view.setInt32(at + 16, i, true);
    view.setInt32(at + 20, 9_999, true);
    view.setInt32(at + 24, 10_001, true);
    view.setInt32(at + 28, 10_000, true);
    view.setInt32(at + 32, 300, true);
    view.setUint32(at + 36, 4_000_000_000, true);
  }
  return bytes;
}

function note(json: string): Uint8Array {
  const padded = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(32 + padded);
  bytes.set([1, 2]);
  new DataView(bytes.buffer).setUint32(4, padded, true);
  bytes.set(new TextEncoder().encode(json.padEnd(padded)), 32);
  return bytes;
}

describe('binary frames', () => {
  it('should read every field of every message', () => {
    const heard = new Heard();
    const bytes = frame(2, 41);
    readFrame(bytes.buffer as ArrayBuffer, 0, bytes.length, heard);
    expect(heard.messages[1]).toEqual([1, 3, 5_000_000_001, 11, 9_999, 10_001, 10_000, 300, 4_000_000_000]);
    expect(heard.frames).toEqual([[7, 41, 2, 112]]);
  });

  it('should pass over the padding of larger messages', () => {
    const heard = new Heard();
    const bytes = frame(3, 1, 256);
    readFrame(bytes.buffer as ArrayBuffer, 0, bytes.length, heard);
    expect(heard.messages.map((fields) => fields[0])).toEqual([0, 1, 2]);
  });

  it('should read notes', () => {
    const heard = new Heard();
    const bytes = note('{"note":"status","waiting":3}');
    readFrame(bytes.buffer as ArrayBuffer, 0, bytes.length, heard);
    expect(heard.notes).toEqual([{ note: 'status', waiting: 3 }]);
  });

  it('should refuse a version that it does not know', () => {
    const bytes = frame(1, 1);
    bytes[0] = 2;
    expect(() => readFrame(bytes.buffer as ArrayBuffer, 0, bytes.length, new Heard())).toThrow('frame of version 2');
  });

  it('should know the length of a frame once its head is whole', () => {
    const bytes = frame(2, 1);
    expect(frameBytes(new DataView(bytes.buffer), 0, 31)).toBe(0);
    expect(frameBytes(new DataView(bytes.buffer), 0, 32)).toBe(112);
  });

  it.each([1, 7, 33, 1000])('should put frames together that come in pieces of %d bytes', (size) => {
    const heard = new Heard();
    const stream = new FrameStream(heard);
    const all = [frame(3, 1), note('{"note":"status"}'), frame(1, 4), frame(500, 5)];
    const bytes = new Uint8Array(all.reduce((sum, each) => sum + each.length, 0));
    all.reduce((at, each) => (bytes.set(each, at), at + each.length), 0);
    for (let at = 0; at < bytes.length; at += size) {
      stream.push(bytes.subarray(at, at + size));
    }
    expect(heard.frames.map((fields) => fields.slice(1, 3))).toEqual([[1, 3], [4, 1], [5, 500]]);
    expect(heard.notes).toHaveLength(1);
  });
});

describe('text frames', () => {
  const text = '{"f":9,"t":1,"o":5,"m":[[2,1,100,3,10,12,11,7,8],[3,1,101,3,10,12,11,7,8,"...."]]}';

  it('should read every message', () => {
    const heard = new Heard();
    readText(text, heard);
    expect(heard.messages).toEqual([[2, 1, 100, 3, 10, 12, 11, 7, 8], [3, 1, 101, 3, 10, 12, 11, 7, 8]]);
    expect(heard.frames[0]!.slice(0, 3)).toEqual([9, 5, 2]);
  });

  it('should put lines together that come in pieces', () => {
    const heard = new Heard();
    const stream = new LineStream(heard);
    const bytes = new TextEncoder().encode(`${text}\n{"note":"end","reason":"é"}\n`);
    bytes.forEach((_, i) => stream.push(bytes.subarray(i, i + 1)));
    expect(heard.frames).toHaveLength(1);
    expect(heard.notes[0]!['reason']).toBe('é');
  });
});
