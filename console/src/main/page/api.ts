// The control interface of the server; docs in /api/openapi.json.

import { problem } from './problem';

export interface ChannelInfo {
  name: string;
  title: string;
  transport: 'websocket' | 'events' | 'stream' | 'polling';
  encoding: 'binary' | 'json';
  flushMs: number;
}

export interface PolicyInfo {
  name: string;
  summary: string;
}

export interface FeedState {
  isRunning: boolean;
  symbols: number;
  threads: number;
  sleepMs: number;
  rate: number;
  messageBytes: number;
  source: string;
  /** Whether others send the messages, on a channel of an engine. */
  isChannel: boolean;
  sent: number;
  lost: number;
  maxLagNs: number;
  backPressured: number;
  atNs: number;
}

export interface State {
  version: string;
  isExposed: boolean;
  cores: number;
  feed: FeedState;
  sessions: number;
  pushed: number;
  overLimit: number;
  /** What ended in the server that should have gone on; empty where nothing did. */
  failure: string;
}

export interface FeedWish {
  isRunning: boolean;
  symbols: number;
  threads: number;
  sleepMs: number;
  rate: number;
  messageBytes: number;
}

async function answer<T>(response: Response): Promise<T> {
  if (!response.ok) {
    throw new Error(await problem(response));
  }
  return (await response.json()) as T;
}

export function send(method: string, path: string, body: unknown): Promise<Response> {
  return fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

export const api = {
  state: async (): Promise<State> => answer(await fetch('/api/state')),
  /** The token for each channel: the cookie alone opens none. */
  token: async (): Promise<string> => (await answer<{ token: string }>(await fetch('/api/token'))).token,
  channels: async (): Promise<ChannelInfo[]> => answer(await fetch('/api/channels')),
  policies: async (): Promise<PolicyInfo[]> => answer(await fetch('/api/policies')),
  symbols: async (): Promise<string[]> => answer(await fetch('/api/symbols')),
  feed: async (wish: FeedWish): Promise<State> => answer(await send('PUT', '/api/feed', wish)),
  save: async (rows: unknown): Promise<{ folder: string }> => answer(await send('POST', '/api/results', rows)),
};
