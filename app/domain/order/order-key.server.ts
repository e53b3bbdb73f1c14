import type { Campaign } from "#app/db/schema/sales.server.ts";
import type { Placer } from "#app/domain/order/placer.ts";
import { cleanDocument } from "#app/kit/documents.ts";
import { hashToken, type Sign, signaturesOf, signers } from "#app/platform/secrets.server.ts";

/** Who orders: checked values, null where there is nothing. */
export type Customer = {
  name: string | null;
  /** Lowercase. */
  email: string | null;
  /** E.164. */
  phone: string | null;
  /** CPF or CNPJ without punctuation. */
  document: string | null;
};

type Ordered = {
  customer: Customer;
  /** What is ordered: `product:<id>`. */
  item: string;
  bumpIds: number[];
};

/**
 * What makes two orders the same: buyer (e-mail and document, else phone), product, bumps. A keyed hash, no plain data.
 * Other people may have the same one: it says what was ordered, not whose the order is. By each secret that is known: the
 * first is written, and an order is looked for by all of them.
 */
export function orderKeys(ordered: Ordered): string[] {
  return signers.map((sign) => orderKey(ordered, sign));
}

function orderKey({ customer, item, bumpIds }: Ordered, sign: Sign): string {
  const email = customer.email?.toLowerCase() ?? "";
  const document = cleanDocument(customer.document ?? "");
  const known = email || document ? [] : [customer.phone ?? ""];
  const bumps = [...bumpIds].sort((a, b) => a - b);
  return sign(JSON.stringify(["order", email, document, item, bumps, ...known]));
}

/**
 * What makes two orders one press of a button: the same browser, and every field the same. A keyed hash. A browser without
 * a name of its own is known by its client and what it calls itself, and then none where nothing was asked that tells
 * buyers apart: phones of one make behind one address would share an order.
 */
export function pressKeys(
  order: Ordered & { campaign: Campaign },
  { client, browser, ownName }: Pick<Placer, "client" | "browser" | "ownName">,
): string[] {
  const { name, email, phone, document } = order.customer;
  if (!ownName && !email && !phone && !document) return [];
  const campaign = Object.entries(order.campaign).sort(([a], [b]) => (a < b ? -1 : 1));
  const who = ownName ? ["own name", ownName] : [client, browser];
  return signers.map((sign) =>
    sign(JSON.stringify(["press", ...who, orderKey(order, sign), name, phone, campaign])),
  );
}

/** Whom orders are counted by. A keyed hash: who ordered from where is written nowhere else than it was. */
export function clientKeys(client: string): string[] {
  return signaturesOf(`client:${client}`);
}

/**
 * What orders take turns by, those of a client and those of a browser that has a name of its own: the same in every process,
 * whichever of two secrets it writes with.
 */
export function turnsOf({ client, ownName }: Pick<Placer, "client" | "ownName">): [string, ...string[]] {
  return [hashToken(`client:${client}`), ...(ownName ? [hashToken(`own name:${ownName}`)] : [])];
}
