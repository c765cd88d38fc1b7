// Layouts that Tick.java and BinaryFrame.java describe; offsets in units of 4 bytes.

export const HEAD_BYTES = 32;
export const KIND_MESSAGES = 1;
export const TWO_32 = 4294967296;

/** Columns of the table of last values; one row a symbol. */
export const COLUMNS = 9;
export const SEQUENCE = 0;
export const BID = 1;
export const ASK = 2;
export const LAST = 3;
export const SIZE = 4;
export const VOLUME = 5;
/** 1 where the last price went up, -1 where it went down, 0 before it moved. */
export const MOVE = 6;
/** The first price seen: what the change counts from. */
export const OPEN = 7;
/** When the message was due, µs after the feed's epoch in 32 bits. */
export const WANTED = 8;

/** What comes of frames. */
export interface Sink {
  /** One message; times in ns after the feed's epoch. */
  message(
    symbol: number, sequence: number, intendedNs: number, lagNs: number,
    bid: number, ask: number, last: number, size: number, volume: number,
  ): void;
  /** All messages of a frame were handed over. */
  frame(frame: number, ordinal: number, count: number, bytes: number): void;
  note(note: Note): void;
}

/** Something about the session that is no message. */
export interface Note {
  note: 'hello' | 'status' | 'end';
  [member: string]: string | number;
}
