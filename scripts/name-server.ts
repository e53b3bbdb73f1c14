import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/**
 * A name server like that of a container engine, for checks that replace the servers of a name.
 * @param port on 127.0.0.1, UDP and TCP
 * @param addressesOf the IPv4 addresses of a name, called for each query
 */
export async function nameServer(
  port: number,
  addressesOf: (name: string) => string[],
): Promise<{ close: () => void }> {
  const udp = createSocket("udp4");
  udp.on("message", (question, { port: from, address }) => {
    udp.send(answerTo(question, addressesOf), from, address);
  });
  // Over TCP, for machines configured to use it, each message is preceded by its length.
  const tcp = createServer((socket) => {
    let got = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      got = Buffer.concat([got, chunk]);
      while (got.length > 2 && got.length >= 2 + got.readUInt16BE(0)) {
        const answer = answerTo(got.subarray(2, 2 + got.readUInt16BE(0)), addressesOf);
        got = got.subarray(2 + got.readUInt16BE(0));
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([length, answer]));
      }
    });
  });
  await new Promise<void>((ready) => udp.bind(port, "127.0.0.1", ready));
  await new Promise<void>((ready) => tcp.listen(port, "127.0.0.1", ready));
  return {
    close() {
      udp.close();
      tcp.close();
    },
  };
}

const A = 1;

/** RFC 1035, 4.1: header, the question as received, and for each address an answer that points back to its name. */
function answerTo(question: Buffer, addressesOf: (name: string) => string[]): Buffer {
  let end = 12;
  const labels: string[] = [];
  while (question[end] !== 0) {
    labels.push(question.toString("latin1", end + 1, end + 1 + question[end]!));
    end += question[end]! + 1;
  }
  const type = question.readUInt16BE(end + 1);
  const found = type === A ? addressesOf(labels.join(".")) : [];
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  header.writeUInt32BE(0, 8);
  const answers = found.map((address) =>
    Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
  );
  return Buffer.concat([header, question.subarray(12, end + 5), ...answers]);
}
