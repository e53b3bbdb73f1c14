import { connect, createServer, type Socket } from "node:net";

export type Line = {
  port: number;
  /** Where it leads to. */
  target: number;
  /** While it is silent it accepts connections and passes nothing on. */
  isSilent: boolean;
  cut: () => void;
  close: () => void;
};

/** A line to a port of this machine. */
export async function openLine(target: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(line.target, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => line.isSilent || to.write(bytes));
      from.on("close", () => to.destroy());
      from.on("error", () => to.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const line: Line = {
    port: (server.address() as { port: number }).port,
    target,
    isSilent: false,
    cut,
    close: () => {
      server.close();
      cut();
    },
  };
  return line;
}
