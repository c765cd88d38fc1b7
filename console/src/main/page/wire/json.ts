import type { Note, Sink } from './tick';

interface Messages {
  f: number;
  o: number;
  m: number[][];
}

/** Reads one frame of text. */
export function readText(json: string, sink: Sink): void {
  const frame = JSON.parse(json) as Messages | Note;
  if ('note' in frame) {
    sink.note(frame as Note);
    return;
  }
  const { f, o, m } = frame as Messages;
  for (const each of m) {
    sink.message(
      each[0]!, each[1]!, each[2]!, each[3]!, each[4]!, each[5]!, each[6]!, each[7]!, each[8]!,
    );
  }
  sink.frame(f, o, m.length, json.length);
}

/** Lines out of a stream that is cut anywhere. */
export class LineStream {
  private rest = '';
  private readonly decoder = new TextDecoder();

  constructor(private readonly sink: Sink) {}

  push(chunk: Uint8Array): void {
    const lines = (this.rest + this.decoder.decode(chunk, { stream: true })).split('\n');
    this.rest = lines.pop()!;
    lines.filter((line) => line !== '').forEach((line) => readText(line, this.sink));
  }
}
