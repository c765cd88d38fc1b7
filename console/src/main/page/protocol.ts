// What the page and its worker say to each other.

import type { Summary } from './histogram';
import type { Due } from './pictures';
import type { Spread } from './spans';

export type ChannelTransport = 'websocket' | 'events' | 'stream' | 'polling';

export interface Opening {
  type: 'open';
  /** Counts the openings of a page: what ends is one of them, maybe not the newest any more. */
  number: number;
  /** Such as http://127.0.0.1:8400 */
  origin: string;
  /** Of the server, for its channels. */
  token: string;
  channel: string;
  transport: ChannelTransport;
  encoding: 'binary' | 'json';
  /** Settings of the session, as a query. */
  query: string;
  guaranteed: boolean;
  ackFrames: number;
  ackBytes: number;
}

export interface CanvasStart {
  type: 'canvas';
  canvas: OffscreenCanvas;
  names: string[];
}

export interface CanvasView {
  type: 'view';
  width: number;
  height: number;
  ratio: number;
  top: number;
  order: Int32Array;
  colours: Colours;
}

export interface Colours {
  ground: string;
  text: string;
  faint: string;
  up: string;
  down: string;
  /** Behind a price that went up, or down, just now. */
  upGround: string;
  downGround: string;
  line: string;
}

export type ToWorker =
  | Opening
  | CanvasStart
  | CanvasView
  | { type: 'close' }
  | { type: 'render'; framesPerSecond: number; isCanvas: boolean; flash: boolean }
  /** 0 seconds: none any more. */
  | { type: 'benchmark'; seconds: number }
  | { type: 'snapshot' };

/** The server's clock as the worker knows it. */
export interface ServerClock {
  /** Of which opening; another feed may count from another epoch. */
  number: number;
  /** Server's ns after the feed's epoch when the worker's performance.now() was 0. */
  ns: number;
  /** The worker's performance.timeOrigin. */
  originMs: number;
}

/** A quarter of a second. */
export interface Stats {
  type: 'stats';
  /** That this covers: longer than a quarter where the worker was stalled. */
  seconds: number;
  messages: number;
  perSecond: number;
  framesPerSecond: number;
  bytesPerSecond: number;
  latency: Spread;
  /** Of the last message. */
  nowNs: number;
  /** Part of the time in which the worker was busy with what it received. */
  busy: number;
  /** Latest of the server's notes about this session. */
  waiting: number;
  bytesOnTheWay: number;
  offered: number;
  /** Counts those notes; and what had been received when the latest came. */
  statuses: number;
  receivedAtStatus: number;
  /** Acknowledgements and questions of this page that did not reach the server. */
  failedPosts: number;
  heldBack: number;
  flushes: number;
  lateFlushes: number;
  merged: number;
  dropped: number;
  lost: number;
  /** Null where the server's clock is not known. */
  clockBoundNs: number | null;
  /** Longest time between two pictures of the canvas. */
  canvasFrameMs: number;
  canvasPictures: Due;
  /** Tick to screen of the canvas. */
  canvasScreen: Spread;
  clock: ServerClock | undefined;
}

export interface BenchmarkResult {
  type: 'benchmarked';
  seconds: number;
  messages: number;
  frames: number;
  bytes: number;
  latency: Summary;
  /** Tick to screen of the canvas. */
  canvasScreen: Summary;
  buckets: [number, number][];
  /** Null where the server said nothing about the session meanwhile; so the dropped. */
  merged: number | null;
  dropped: number | null;
  lost: number;
  busy: number;
  /** The worst; null where the server's clock was not known all the time. */
  clockBoundNs: number | null;
}

export type FromWorker =
  | Stats
  | BenchmarkResult
  | { type: 'table'; table: SharedArrayBuffer | undefined; symbols: number; firstSymbol: number }
  | { type: 'snapshot'; table: ArrayBuffer }
  /** A guaranteed session resumes where it was, by itself; any other is over. */
  | { type: 'ended'; number: number; reason: string; resumes: boolean };
