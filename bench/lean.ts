import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * An HTTP client with as little overhead as possible, because it shares two cores with the server it measures. Uses
 * keep-alive connections; responses must have a Content-Length or no body.
 */
export class Lean {
  readonly #host: string;
  readonly #port: number;
  readonly #free: Line[] = [];

  /** @param url of the server, e.g. `http://localhost:3000` */
  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** @param request head and body as sent on the wire. @returns the status */
  async send(request: string): Promise<number> {
    let line = this.#free.pop();
    // The server closes connections that were idle for some seconds.
    while (line?.isClosed) line = this.#free.pop();
    line ??= await this.#open();
    const status = await line.send(request);
    this.#free.push(line);
    return status;
  }

  async #open(): Promise<Line> {
    const socket = connect(this.#port, this.#host).setNoDelay();
    await once(socket, "connect");
    return new Line(socket);
  }

  close(): void {
    for (const line of this.#free) line.close();
  }
}

const END_OF_HEAD = Buffer.from("\r\n\r\n");

class Line {
  readonly #socket: Socket;
  #answered = (_: number) => {};
  #failed = (_: Error) => {};
  #status = 0;
  #left = -1;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (data) => this.#read(data));
    socket.on("error", (error) => this.#failed(error));
    socket.on("close", () => this.#failed(new Error("the server closed the connection")));
  }

  get isClosed(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  send(request: string): Promise<number> {
    return new Promise((answered, failed) => {
      this.#answered = answered;
      this.#failed = failed;
      this.#left = -1;
      this.#socket.write(request, "latin1");
    });
  }

  #read(data: Buffer): void {
    if (this.#left < 0) {
      const end = data.indexOf(END_OF_HEAD);
      const head = data.subarray(0, Math.max(end, 0)).toString("latin1");
      this.#status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined && this.#status !== 204)
        this.#failed(new Error(`no Content-Length: ${data.toString("latin1")}`));
      this.#left = Number(length ?? 0) - (data.length - end - END_OF_HEAD.length);
    } else this.#left -= data.length;
    if (this.#left === 0) this.#answered(this.#status);
  }

  close(): void {
    this.#failed = () => {};
    this.#socket.destroy();
  }
}

/** For waits shorter than a timer allows: less than a millisecond. */
const NOTHING = new Int32Array(new SharedArrayBuffer(4));
const NAP = 0.1;

/**
 * Starts calls at random times at this mean rate, like independent buyers (a Poisson process). A timer would hold back
 * several for its millisecond and send them as one burst.
 */
export async function arriving(once: () => Promise<void>, perSecond: number, seconds: number): Promise<void> {
  const begun = performance.now();
  const running: Promise<void>[] = [];
  let due = 0;
  while (due < seconds * 1000) {
    for (
      let early = due - (performance.now() - begun);
      early > 0;
      early = due - (performance.now() - begun)
    ) {
      Atomics.wait(NOTHING, 0, 0, Math.min(early, NAP));
      await new Promise(setImmediate);
    }
    running.push(once());
    due += (-Math.log(1 - Math.random()) * 1000) / perSecond;
  }
  await Promise.all(running);
}
