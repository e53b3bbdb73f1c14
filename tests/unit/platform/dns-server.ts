import { createSocket } from "node:dgram";

/** The result of one lookup of a name: addresses, and the name it is an alias of. */
export type Records = { a?: string[]; aaaa?: string[]; cname?: string };

const A = 1;
const CNAME = 5;
const AAAA = 28;

/**
 * A DNS server that is authoritative for all names it is given, over UDP, without caching (TTL 0). A list of records
 * is the result of the first lookup, the second and so on, each type separately; the last one repeats.
 */
export async function startDns(names: Record<string, Records[]>, port = 0) {
  const lookups = new Map<string, number>();
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    socket.send(answerTo(query), from.port, from.address);
  });
  await new Promise<void>((ready) => socket.bind(port, "127.0.0.1", ready));

  function answerTo(query: Buffer): Buffer {
    const { name, type, question } = readQuestion(query);
    const answersInOrder = names[name.toLowerCase()];
    const nth = lookups.get(`${type} ${name}`) ?? 0;
    lookups.set(`${type} ${name}`, nth + 1);
    const records = answersInOrder?.[Math.min(nth, answersInOrder.length - 1)];
    const own = records?.cname ? [record(CNAME, nameBytes(records.cname), name)] : [];
    const owner = records?.cname ?? name;
    const addresses =
      type === A
        ? (records?.a ?? []).map((address) => record(A, v4(address), owner))
        : type === AAAA
          ? (records?.aaaa ?? []).map((address) => record(AAAA, v6(address), owner))
          : [];
    const answers = [...own, ...addresses];
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    // An authoritative answer; for an unknown name it reports that.
    head.writeUInt16BE(answersInOrder ? 0x8580 : 0x8583, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    return Buffer.concat([head, question, ...answers]);
  }

  return {
    port: socket.address().port,
    /** The number of IPv4 lookups of a name. */
    looks: (name: string) => lookups.get(`${A} ${name}`) ?? 0,
    close: () => socket.close(),
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join("."),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  };
}

function record(type: number, data: Buffer, owner: string): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(0, 4);
  fields.writeUInt16BE(data.byteLength, 8);
  return Buffer.concat([nameBytes(owner), fields, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

const v4 = (address: string) => Buffer.from(address.split(".").map(Number));

function v6(address: string): Buffer {
  // Written in full by the parser of addresses, `::` and a mapped IPv4 included.
  const [before = "", after] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const groups = (part: string) => part.split(":").filter(Boolean);
  const [head, tail] = [groups(before), groups(after ?? "")];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const all = [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
