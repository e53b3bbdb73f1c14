import type { Records } from "#tests/unit/platform/dns-server.ts";

const PUBLIC = "8.8.8.8";
const INSIDE = "127.0.0.1";

/** Names that lead inside at the first lookup. */
export const LEADS_INSIDE: Record<string, Records[]> = {
  "interna.example": [{ a: [INSIDE] }],
  "zero.example": [{ a: ["0.0.0.0"] }],
  "metadados.example": [{ a: ["169.254.169.254"] }],
  "entre-muitas.example": [{ a: [PUBLIC, INSIDE, "1.1.1.1"] }],
  "por-ipv6.example": [{ a: [PUBLIC], aaaa: ["::1"] }],
  "mapeada.example": [{ aaaa: [`::ffff:${INSIDE}`] }],
  "traduzida.example": [{ aaaa: ["64:ff9b::7f00:1"] }],
  "publica-e-mapeada.example": [{ a: [PUBLIC], aaaa: [`::ffff:${INSIDE}`] }],
  "apelido.example": [{ cname: "localhost", a: [INSIDE] }],
};

/** Names that are public when they are saved, or at the first calls, and lead inside later. */
export const CHANGES: Record<string, Records[]> = {
  "muda-ao-chamar.example": [{ a: [PUBLIC] }, { a: [INSIDE] }],
  "muda-depois.example": [{ a: [PUBLIC] }, { a: [PUBLIC] }, { a: [INSIDE] }],
  "vira-apelido.example": [{ a: [PUBLIC] }, { cname: "localhost", a: [INSIDE] }],
  "alterna.example": Array.from({ length: 100 }, (_, check) => ({ a: [check % 2 ? INSIDE : PUBLIC] })),
};
