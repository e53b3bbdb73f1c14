import { and, count, eq, isNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { inSellersTurn, refuseStale } from "#app/db/version.server.ts";
import { type Notice, queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import { areaOf } from "#app/domain/outbox/members/access.ts";
import { memberVersion } from "#app/domain/outbox/members/list-member-areas.server.ts";
import type { MemberFields } from "#app/domain/outbox/members/member-form.server.ts";
import { ownersOf } from "#app/domain/outbox/members/owners-of.server.ts";
import {
  accessEvents,
  type ItemClasses,
  MEMBER_NAMES,
  type MemberSettings,
} from "#app/domain/outbox/members/settings.ts";
import { ofFamily, ownDestination } from "#app/domain/outbox/own-destination.server.ts";
import { refuseStrangeProducts } from "#app/domain/outbox/refuse-strange-products.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isMask, seal } from "#app/platform/secrets.server.ts";

/** More than anybody needs, and few enough for every sale to be told to all. */
const MOST = 20;

const NEW: MemberSettings = {
  ...{ area: "", withDocument: false, classes: [], known: [] },
  test: { email: "", item: "", name: "" },
};

/**
 * Connects a member area, and tells its seller by mail. @returns its id
 * @throws Refusal invalid where the token is a mask; not-found for products that are not theirs; conflict beyond 20
 */
export async function createMemberArea(
  sellerId: string,
  fields: MemberFields,
  from: Notice["from"],
): Promise<string> {
  if (isMask(fields.token)) throw tokenMissing();
  return inSellersTurn(sellerId, async (tx) => {
    const [{ n } = { n: 0 }] = await tx
      .select({ n: count() })
      .from(destinations)
      .where(and(eq(destinations.sellerId, sellerId), ofFamily("members"), isNull(destinations.deletedAt)));
    if (n >= MOST)
      throw new Refusal(
        "conflict",
        `Você já tem ${MOST} áreas de membros: exclua uma antes de conectar outra.`,
      );
    const [row] = await tx
      .insert(destinations)
      .values({
        sellerId,
        kind: fields.kind,
        ...(await columnsOf(tx, sellerId, fields, NEW)),
        tokenSealed: seal(fields.token),
      })
      .returning({ id: destinations.id });
    await tellOwner(tx, sellerId, fields, from);
    return row!.id;
  });
}

/**
 * Keeps what a seller changed of a member area. Another area, or another key, is told to the seller by mail.
 * @throws Refusal as `createMemberArea`; conflict where it was saved since `version`
 */
export async function saveMemberArea(
  sellerId: string,
  id: string,
  fields: MemberFields,
  from: Notice["from"],
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const area = await ownDestination(tx, "members", sellerId, id);
    refuseStale(version, memberVersion(area));
    if (area.kind !== fields.kind)
      throw new Refusal("invalid", "Uma área não muda de serviço: conecte outra.");
    const was = areaOf(area);
    const keepsToken = isMask(fields.token);
    // A key goes to no other area than it was given for.
    const isElsewhere = fields.kind === "cademi" && was.area !== fields.area;
    if (keepsToken && isElsewhere) throw tokenMissing();
    await tx
      .update(destinations)
      .set({
        // Another key may open another account, with classes of its own.
        ...(await columnsOf(tx, sellerId, fields, keepsToken ? was : { ...was, known: [] })),
        ...(keepsToken ? {} : { tokenSealed: seal(fields.token) }),
        updatedAt: new Date(),
      })
      .where(eq(destinations.id, area.id));
    if (isElsewhere || !keepsToken) await tellOwner(tx, sellerId, fields, from);
  });
}

async function columnsOf(tx: Tx, sellerId: string, fields: MemberFields, was: MemberSettings) {
  const { kind, name, area, with_document, revokes } = fields;
  const events = accessEvents(revokes);
  if (kind === "cademi") {
    await refuseStrangeProducts(tx, sellerId, fields);
    const settings: MemberSettings = { ...was, area, withDocument: with_document };
    return { name, events, productIds: fields.scope === "all" ? null : fields.products, settings };
  }
  const posted = fields.classes.map(({ item }) => item);
  // What the form does not show, because it is on sale no more, keeps its classes: a purchase of it may be given back.
  const kept = was.classes.filter(({ item }) => !posted.includes(item));
  const classes: ItemClasses[] = [...fields.classes.filter(({ ids }) => ids.length > 0), ...kept];
  const owners = await ownersOf(tx, sellerId, [...posted, ...kept.map(({ item }) => item)]);
  if (posted.some((item) => !owners.has(item))) throw notFound("Produto não encontrado");
  const productIds = [...new Set(classes.flatMap(({ item }) => owners.get(item) ?? []))];
  return { name, events, productIds, settings: { ...was, classes } };
}

function tokenMissing(): Refusal {
  return new Refusal("invalid", "Para conectar esta área, informe a chave dela.", "token");
}

async function tellOwner(
  tx: Tx,
  sellerId: string,
  { kind, area }: MemberFields,
  from: Notice["from"],
): Promise<void> {
  const where = kind === "cademi" ? `${MEMBER_NAMES[kind]}, área ${area}` : MEMBER_NAMES[kind];
  const lines = [`O acesso ao que você vende passa a ser liberado em ${where}.`];
  await queueSecurityNotice(tx, sellerId, { change: "members", from, lines });
}
