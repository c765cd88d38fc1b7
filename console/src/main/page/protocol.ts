// What the page and its worker say to each other.

import type { Summary } from './worker/histogram';

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
  line: string;
}

export type ToWorker =
  | Opening
  | CanvasStart
  | CanvasView
  | { type: 'close' }
  | { type: 'render'; framesPerSecond: number; isCanvas: boolean }
  /** 0 seconds: none any more. */
  | { type: 'benchmark'; seconds: number }
  | { type: 'snapshot' };

/** A quarter of a second. */
export interface Stats {
  type: 'stats';
  messages: number;
  perSecond: number;
  framesPerSecond: number;
  bytesPerSecond: number;
  latency: Summary;
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
  merged: number;
  dropped: number;
  lost: number;
  clockBoundNs: number;
  /** Longest time between two pictures of the canvas. */
  canvasFrameMs: number;
}

export interface BenchmarkResult {
  type: 'benchmarked';
  seconds: number;
  messages: number;
  frames: number;
  bytes: number;
  latency: Summary;
  buckets: [number, number][];
  merged: number;
  dropped: number;
  lost: number;
  busy: number;
  clockBoundNs: number;
}

export type FromWorker =
  | Stats
  | BenchmarkResult
  | { type: 'table'; table: SharedArrayBuffer | undefined; symbols: number; firstSymbol: number }
  | { type: 'snapshot'; table: ArrayBuffer }
  /** A guaranteed session resumes where it was, by itself; any other is over. */
  | { type: 'ended'; number: number; reason: string; resumes: boolean };
