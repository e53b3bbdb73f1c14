import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * Requests by kept connections, as little work for the driver as can be: it shares two cores with whom it measures. An
 * answer says how long it is, or has no body.
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

  /** @param request head and body as they go over the wire. @returns the status */
  async ask(request: string): Promise<number> {
    let line = this.#free.pop();
    // The server ends what was idle for some seconds.
    while (line?.isClosed) line = this.#free.pop();
    line ??= await this.#open();
    const status = await line.ask(request);
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

  ask(request: string): Promise<number> {
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
        this.#failed(new Error(`how long is this? ${data.toString("latin1")}`));
      this.#left = Number(length ?? 0) - (data.length - end - END_OF_HEAD.length);
    } else this.#left -= data.length;
    if (this.#left === 0) this.#answered(this.#status);
  }

  close(): void {
    this.#failed = () => {};
    this.#socket.destroy();
  }
}

/** What no timer of Node's can wait for: less than a millisecond. */
const NOTHING = new Int32Array(new SharedArrayBuffer(4));
const NAP = 0.1;

/**
 * Begins so many a second as buyers would who know nothing of each other: now two at once, now none for a while (a Poisson
 * process). A timer would hold several back for its millisecond and send them as one burst.
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
