import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Instead of an answer: the connection ends. */
export const HANG_UP = "hang up";

/**
 * The answers to commands instead of the usual ones, by first word: `AUTH`, `MAIL`, `RCPT`, `DATA`, or `.` for the
 * text.
 */
export type SmtpAnswers = Partial<Record<"AUTH" | "MAIL" | "RCPT" | "DATA" | ".", string>>;

/** A small SMTP server that needs a password. `answers` may be changed while it runs; ends with the test. */
export async function startSmtpServer(answers: SmtpAnswers = {}) {
  const received: string[] = [];
  const attempts: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    let text: string[] | null = null;
    let rest = "";
    const say = (line: string) => socket.write(`${line}\r\n`);
    const usual: Record<string, string> = {
      EHLO: "250-localhost\r\n250 AUTH PLAIN",
      AUTH: "235 2.7.0 accepted",
      DATA: "354 go on",
      QUIT: "221 bye",
    };
    say("220 localhost ESMTP");
    socket.on("data", (chunk) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (text && line !== ".") {
          text.push(line);
          continue;
        }
        const word = line.split(/[ :]/)[0]!.toUpperCase();
        if (word === "AUTH") attempts.push(line);
        const answer = answers[word as keyof SmtpAnswers] ?? usual[word] ?? "250 ok";
        if (text && answer.startsWith("250")) received.push(text.join("\n"));
        text = word === "DATA" && answer.startsWith("354") ? [] : null;
        if (answer === HANG_UP) socket.destroy();
        else say(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://loja:senha@127.0.0.1:${port}`, answers, taken: received, tries: attempts };
}
