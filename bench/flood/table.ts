import { percentile, written } from "../figure.ts";
import type { Bought } from "./buying.ts";
import type { Answers } from "./flooder.ts";
import type { Row } from "./rows.ts";

/** Results while one row was flooded in one way. Memory in MB, files in bytes; `rest`: 95th percentiles at rest. */
export type Result = {
  row: Row;
  kind: string;
  seconds: number;
  answers: Answers;
  bought: Bought;
  rest: { page: number; order: number };
  /** Milliseconds of processor time, including other clients' requests; null where the system does not report it. */
  cpu: { web: number; postgres: number } | null;
  memory: { web: number; worker: number };
  storage: number;
  database: number;
};

/** How many times longer than at rest the slowest 5 of 100 buyers wait, for the page or the order, whichever is worse. */
export function ratioOf({ bought, rest }: Result): number {
  return Math.max(percentile(bought.page, 0.95) / rest.page, percentile(bought.order, 0.95) / rest.order);
}

/** Seconds from a payment until its webhook is delivered and its mail sent; the longest of all. */
export function waitOf({ bought }: Result): number {
  return Math.max(0, ...bought.delivered);
}

export function nameOf({ row, kind }: Result): string {
  return `${row.method} ${row.address} (${kind})`;
}

export function worstFirst(results: Result[]): Result[] {
  return results.toSorted((a, b) => ratioOf(b) - ratioOf(a));
}

const COLUMNS: [name: string, width: number, cell: (result: Result) => string][] = [
  ["row", 58, ({ row }) => `${row.method} ${row.address}`],
  ["from", 7, ({ kind }) => kind],
  ["answers/s", 9, ({ answers, seconds }) => written(sum(answers) / seconds)],
  ["2xx 3xx 4xx 429 5xx %", 22, ({ answers }) => shares(answers)],
  ["page p50/p95/max ms", 20, ({ bought }) => spread(bought.page)],
  ["order p50/p95/max ms", 20, ({ bought }) => spread(bought.order)],
  [
    "× rest page order",
    17,
    ({ bought, rest }) => `${times(bought.page, rest.page)} ${times(bought.order, rest.order)}`,
  ],
  ["ms of cpu per answer: web postgres", 34, ({ cpu, answers }) => (cpu ? perAnswer(cpu, sum(answers)) : "")],
  ["delivered s", 11, (result) => written(waitOf(result))],
  ["web+worker MB", 13, ({ memory }) => `${written(memory.web)}+${written(memory.worker)}`],
  ["files MB", 8, ({ storage }) => written(storage / 1e6)],
  ["db MB", 6, ({ database }) => written(database / 1e6)],
  [
    "buyers refused",
    14,
    ({ bought }) => (bought.refused.length > 0 ? `${bought.refused.length}: ${bought.refused[0]}` : ""),
  ],
];

export const HEAD = COLUMNS.map(([name, width]) => name.padEnd(width)).join(" ");

export function line(result: Result): string {
  return COLUMNS.map(([, width, cell]) => cell(result).padEnd(width))
    .join(" ")
    .trimEnd();
}

/** The results as a markdown table, worst first. */
export function markdown(results: Result[]): string {
  const rows = [
    COLUMNS.map(([name]) => name),
    COLUMNS.map(() => "---"),
    ...worstFirst(results).map((result) => COLUMNS.map(([, , cell]) => cell(result))),
  ];
  return rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function sum(answers: Answers): number {
  return Object.entries(answers).reduce(
    (all, [status, count]) => (Number(status) > 0 ? all + count : all),
    0,
  );
}

function shares(answers: Answers): string {
  const all = Object.values(answers).reduce((sum, count) => sum + count, 0);
  const share = (belongs: (status: number) => boolean) => {
    const some = Object.entries(answers).reduce(
      (sum, [status, count]) => (belongs(Number(status)) ? sum + count : sum),
      0,
    );
    return String(Math.round((some / all) * 100));
  };
  const of = (hundred: number) => share((status) => Math.floor(status / 100) === hundred && status !== 429);
  const cut = answers[-1] ? ` cut ${share((status) => status === -1)}` : "";
  return [of(2), of(3), of(4), share((status) => status === 429), of(5)].join(" ") + cut;
}

function perAnswer({ web, postgres }: NonNullable<Result["cpu"]>, count: number): string {
  return `${written(web / count)} ${written(postgres / count)}`;
}

function spread(values: number[]): string {
  return [percentile(values, 0.5), percentile(values, 0.95), Math.max(...values)].map(written).join("/");
}

function times(values: number[], rest: number): string {
  return written(percentile(values, 0.95) / rest);
}
