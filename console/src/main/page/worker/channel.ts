// The channels: each hands whole frames to the session and acknowledges what was worked through.

import type { Opening } from '../protocol';
import { FrameStream, readFrame } from '../wire/binary';
import { LineStream, readText } from '../wire/json';
import { problem } from '../problem';
import type { Session } from './session';

const ACKNOWLEDGE_MS = 10;
const UPGRADE_REQUIRED = 426;

export interface Channel {
  close(): void;
}

/** Runs while something that was received is worked through: reads the clock, and counts the time. */
type Work = (work: () => void) => void;

export interface Ends {
  ended(reason: string): void;
}

const BROKEN = 'the connection was closed';

/**
 * Why a channel ended. A browser does not say why the server refused a socket or a stream of events; asked plainly, the
 * server does. To a plain question it answers 426 where a socket would do now, and a stream where events would.
 */
async function why(url: string, isRefused: boolean): Promise<string> {
  if (!isRefused) {
    return BROKEN;
  }
  const answer = await fetch(url).catch(() => undefined);
  if (!answer || answer.ok || answer.status === UPGRADE_REQUIRED) {
    void answer?.body?.cancel();
    return BROKEN;
  }
  return problem(answer);
}

export function open(opening: Opening, session: Session, work: Work, ends: Ends): Channel {
  const resume = opening.guaranteed && session.id
    ? `&session=${session.id}&after=${session.lastOrdinal}`
    : '';
  const url = `${opening.origin}/feed/${opening.channel}?${opening.query}&token=${opening.token}${resume}`;
  switch (opening.transport) {
    case 'websocket':
      return new Socket(url.replace(/^http/, 'ws'), opening, session, work, ends);
    case 'events':
      return new Events(url, opening, session, work, ends);
    case 'stream':
      return new Stream(url, opening, session, work, ends);
    case 'polling':
      return new Polling(url, opening, session, work, ends);
  }
}

/** Decides when to acknowledge: after a part of the window, and soon in any case. */
abstract class Acknowledging {
  private ackedFrame = 0;
  private readonly timer = setInterval(() => this.acknowledge(), ACKNOWLEDGE_MS);

  constructor(protected readonly opening: Opening, protected readonly session: Session) {}

  protected worked(): void {
    if (
      this.session.lastFrame - this.ackedFrame >= this.opening.ackFrames ||
      this.session.bytesSinceAck >= this.opening.ackBytes
    ) {
      this.acknowledge();
    }
  }

  /** What was acknowledged did not arrive: it is said again with the next turn. */
  protected failed(): void {
    this.session.failedPosts++;
    this.ackedFrame = 0;
  }

  private acknowledge(): void {
    if (this.session.lastFrame > this.ackedFrame && this.send(this.session.lastFrame, this.session.lastOrdinal)) {
      this.ackedFrame = this.session.lastFrame;
      this.session.bytesSinceAck = 0;
    }
  }

  /** False where the acknowledgement cannot go now. */
  protected abstract send(frame: number, ordinal: number): boolean;

  protected stop(): void {
    clearInterval(this.timer);
  }
}

class Socket extends Acknowledging implements Channel {
  private readonly socket: WebSocket;
  private readonly ack = new DataView(new ArrayBuffer(16));

  constructor(url: string, opening: Opening, session: Session, work: Work, ends: Ends) {
    super(opening, session);
    this.socket = new WebSocket(url);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      work(() => {
        const { data } = event;
        if (typeof data === 'string') {
          readText(data, session);
        } else {
          readFrame(data, 0, data.byteLength, session);
        }
      });
      this.worked();
    };
    let isRefused = true;
    this.socket.onopen = () => (isRefused = false);
    this.socket.onclose = ({ reason }: CloseEvent) => {
      this.stop();
      if (reason) {
        ends.ended(`The server closed the connection: ${reason}.`);
      } else {
        void why(url.replace(/^ws/, 'http'), isRefused).then(ends.ended);
      }
    };
  }

  protected send(frame: number, ordinal: number): boolean {
    if (this.socket.readyState !== WebSocket.OPEN) {
      return false;
    }
    this.ack.setBigUint64(0, BigInt(frame), true);
    this.ack.setBigUint64(8, BigInt(ordinal), true);
    this.socket.send(this.ack);
    return true;
  }

  close(): void {
    this.stop();
    this.socket.onclose = null;
    this.socket.close();
  }
}

/** A channel that cannot carry acknowledgements itself: they go by POST, one at a time. */
abstract class OneWay extends Acknowledging {
  private isPosting = false;

  protected send(frame: number, ordinal: number): boolean {
    if (this.isPosting || !this.session.id) {
      return false;
    }
    this.isPosting = true;
    void fetch(
      `${this.opening.origin}/feed/ack?session=${this.session.id}&frame=${frame}&ordinal=${ordinal}&token=${this.opening.token}`,
      { method: 'POST' },
    )
      .then((answer) => answer.ok || this.failed(), () => this.failed())
      .finally(() => (this.isPosting = false));
    return true;
  }
}

class Events extends OneWay implements Channel {
  private readonly source: EventSource;

  constructor(url: string, opening: Opening, session: Session, work: Work, ends: Ends) {
    super(opening, session);
    this.source = new EventSource(url);
    this.source.onmessage = (event: MessageEvent<string>) => {
      work(() => readText(event.data, session));
      this.worked();
    };
    let isRefused = true;
    this.source.onopen = () => (isRefused = false);
    this.source.onerror = () => {
      this.close();
      void why(url, isRefused).then(ends.ended);
    };
  }

  close(): void {
    this.stop();
    this.source.close();
  }
}

class Stream extends OneWay implements Channel {
  private readonly abort = new AbortController();
  private isClosed = false;

  constructor(url: string, opening: Opening, session: Session, work: Work, ends: Ends) {
    super(opening, session);
    const frames = opening.encoding === 'binary' ? new FrameStream(session) : new LineStream(session);
    void this.read(url, (chunk) => work(() => frames.push(chunk))).catch((error: unknown) => {
      this.stop();
      if (!this.isClosed) {
        ends.ended((error as Error).message);
      }
    });
  }

  private async read(url: string, push: (chunk: Uint8Array) => void): Promise<void> {
    const response = await fetch(url, { signal: this.abort.signal });
    if (!response.ok || !response.body) {
      throw new Error(await problem(response));
    }
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        throw new Error(BROKEN);
      }
      push(value);
      this.worked();
    }
  }

  close(): void {
    this.isClosed = true;
    this.stop();
    this.abort.abort();
  }
}

class Polling implements Channel {
  private readonly abort = new AbortController();
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly opening: Opening,
    private readonly session: Session,
    private readonly work: Work,
    ends: Ends,
  ) {
    void this.poll().catch((error: unknown) => {
      if (!this.isClosed) {
        ends.ended((error as Error).message);
      }
    });
  }

  private async poll(): Promise<void> {
    const { session, opening } = this;
    const frames = opening.encoding === 'binary' ? new FrameStream(session) : new LineStream(session);
    let next = this.url;
    while (!this.isClosed) {
      const response = await fetch(next, { signal: this.abort.signal });
      if (!response.ok) {
        throw new Error(await problem(response));
      }
      const body = new Uint8Array(await response.arrayBuffer());
      this.work(() => frames.push(body));
      next = `${opening.origin}/feed/${opening.channel}?session=${session.id}` +
        `&frame=${session.lastFrame}&ordinal=${session.lastOrdinal}&token=${opening.token}`;
    }
  }

  close(): void {
    this.isClosed = true;
    this.abort.abort();
  }
}
