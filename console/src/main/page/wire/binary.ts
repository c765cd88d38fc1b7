import { HEAD_BYTES, KIND_MESSAGES, TWO_32, type Note, type Sink } from './tick';

const text = new TextDecoder();

/** Bytes of the frame that begins here; 0 where not even its head is whole. */
export function frameBytes(view: DataView, at: number, end: number): number {
  if (end - at < HEAD_BYTES) {
    return 0;
  }
  const count = view.getUint32(at + 4, true);
  return HEAD_BYTES + (view.getUint8(at + 1) === KIND_MESSAGES ? view.getUint16(at + 2, true) * count : count);
}

/** Reads one whole frame at a multiple of 4 bytes: typed arrays, no objects. */
export function readFrame(buffer: ArrayBuffer, at: number, bytes: number, sink: Sink): void {
  const head = new DataView(buffer, at, HEAD_BYTES);
  const count = head.getUint32(4, true);
  if (head.getUint8(0) !== 1) {
    throw new Error(`frame of version ${head.getUint8(0)}: reload the page, the server is another version`);
  }
  if (head.getUint8(1) !== KIND_MESSAGES) {
    sink.note(JSON.parse(text.decode(new Uint8Array(buffer, at + HEAD_BYTES, count))) as Note);
    return;
  }
  const stride = head.getUint16(2, true) / 4;
  const ints = new Int32Array(buffer, at, bytes / 4);
  const unsigned = new Uint32Array(buffer, at, bytes / 4);
  let i = HEAD_BYTES / 4;
  for (let n = 0; n < count; n++, i += stride) {
    sink.message(
      ints[i + 4]!, unsigned[i + 3]!, unsigned[i]! + ints[i + 1]! * TWO_32, unsigned[i + 2]!,
      ints[i + 5]!, ints[i + 6]!, ints[i + 7]!, ints[i + 8]!, unsigned[i + 9]!,
    );
  }
  sink.frame(long(head, 8), long(head, 24), count, bytes);
}

function long(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * TWO_32;
}

/** Frames out of a stream that is cut anywhere. */
export class FrameStream {
  private bytes = new Uint8Array(1 << 18);
  private filled = 0;

  constructor(private readonly sink: Sink) {}

  push(chunk: Uint8Array): void {
    if (this.filled + chunk.length > this.bytes.length) {
      const larger = new Uint8Array(2 * (this.filled + chunk.length));
      larger.set(this.bytes.subarray(0, this.filled));
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.filled);
    this.filled += chunk.length;
    const buffer = this.bytes.buffer as ArrayBuffer;
    const view = new DataView(buffer);
    let at = 0;
    for (;;) {
      const bytes = frameBytes(view, at, this.filled);
      if (bytes === 0 || at + bytes > this.filled) {
        break;
      }
      readFrame(buffer, at, bytes, this.sink);
      at += bytes;
    }
    this.bytes.copyWithin(0, at, this.filled);
    this.filled -= at;
  }
}
