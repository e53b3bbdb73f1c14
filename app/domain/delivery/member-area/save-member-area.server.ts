import { and, count, eq, isNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { rejectStale, withSellerLock } from "#app/db/version.server.ts";
import { requireOwnProducts } from "#app/domain/catalog/is-own-product.server.ts";
import { chosenProducts } from "#app/domain/delivery/chosen-products.ts";
import { areaOf } from "#app/domain/delivery/member-area/access.ts";
import { memberVersion } from "#app/domain/delivery/member-area/list-member-areas.server.ts";
import type { MemberFields } from "#app/domain/delivery/member-area/member-form.server.ts";
import { ownersOf } from "#app/domain/delivery/member-area/owners-of.server.ts";
import {
  accessEvents,
  type ItemClasses,
  MEMBER_NAMES,
  type MemberSettings,
} from "#app/domain/delivery/member-area/settings.ts";
import { ofFamily, ownDestination } from "#app/domain/delivery/own-destination.server.ts";
import { queueSecurityMail, type SecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isMask, seal } from "#app/platform/secrets.server.ts";

/** More than anybody needs, and few enough to notify all of every sale. */
const MAX_AREAS = 20;

const NEW: MemberSettings = {
  ...{ area: "", withDocument: false, classes: [], known: [] },
  test: { email: "", item: "", name: "" },
};

/**
 * Connects a member area, and mails its seller. @returns its id
 * @throws Refusal invalid where the token is a mask; not-found for products that are not theirs; conflict beyond 20
 */
export async function createMemberArea(
  sellerId: string,
  fields: MemberFields,
  from: SecurityMail["origin"],
): Promise<string> {
  if (isMask(fields.token)) throw tokenMissing();
  return withSellerLock(sellerId, async (tx) => {
    const [{ n } = { n: 0 }] = await tx
      .select({ n: count() })
      .from(destinations)
      .where(and(eq(destinations.sellerId, sellerId), ofFamily("members"), isNull(destinations.deletedAt)));
    if (n >= MAX_AREAS)
      throw new Refusal(
        "conflict",
        `Você já tem ${MAX_AREAS} áreas de membros: exclua uma antes de conectar outra.`,
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
    await notifyOwner(tx, sellerId, fields, from);
    return row!.id;
  });
}

/**
 * Saves a member area. Another area or key is mailed to the seller.
 * @throws Refusal as `createMemberArea`; conflict where it was saved since `version`
 */
export async function saveMemberArea(
  sellerId: string,
  id: string,
  fields: MemberFields,
  from: SecurityMail["origin"],
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const area = await ownDestination(tx, "members", sellerId, id);
    rejectStale(version, memberVersion(area));
    if (area.kind !== fields.kind)
      throw new Refusal("invalid", "Uma área não muda de serviço: conecte outra.");
    const saved = areaOf(area);
    const isTokenUnchanged = isMask(fields.token);
    // A key goes to no other area than it was given for.
    const isElsewhere = fields.kind === "cademi" && saved.area !== fields.area;
    if (isTokenUnchanged && isElsewhere) throw tokenMissing();
    await tx
      .update(destinations)
      .set({
        // Another key may open another account, with classes of its own.
        ...(await columnsOf(tx, sellerId, fields, isTokenUnchanged ? saved : { ...saved, known: [] })),
        ...(isTokenUnchanged ? {} : { tokenSealed: seal(fields.token) }),
        updatedAt: new Date(),
      })
      .where(eq(destinations.id, area.id));
    if (isElsewhere || !isTokenUnchanged) await notifyOwner(tx, sellerId, fields, from);
  });
}

async function columnsOf(tx: Tx, sellerId: string, fields: MemberFields, saved: MemberSettings) {
  const { kind, name, area, with_document, revokes } = fields;
  const events = accessEvents(revokes);
  if (kind === "cademi") {
    await requireOwnProducts(tx, sellerId, chosenProducts(fields));
    const settings: MemberSettings = { ...saved, area, withDocument: with_document };
    return { name, events, productIds: chosenProducts(fields), settings };
  }
  const posted = fields.classes.map(({ item }) => item);
  // Items no longer on sale are not in the form, and their classes stay: a purchase of one may still be refunded.
  const hiddenClasses = saved.classes.filter(({ item }) => !posted.includes(item));
  const classes: ItemClasses[] = [...fields.classes.filter(({ ids }) => ids.length > 0), ...hiddenClasses];
  const owners = await ownersOf(tx, sellerId, [...posted, ...hiddenClasses.map(({ item }) => item)]);
  if (posted.some((item) => !owners.has(item))) throw notFound("Produto não encontrado");
  const productIds = [...new Set(classes.flatMap(({ item }) => owners.get(item) ?? []))];
  return { name, events, productIds, settings: { ...saved, classes } };
}

function tokenMissing(): Refusal {
  return new Refusal("invalid", "Para conectar esta área, informe a chave dela.", "token");
}

async function notifyOwner(
  tx: Tx,
  sellerId: string,
  { kind, area }: MemberFields,
  from: SecurityMail["origin"],
): Promise<void> {
  const where = kind === "cademi" ? `${MEMBER_NAMES[kind]}, área ${area}` : MEMBER_NAMES[kind];
  const lines = [`O acesso ao que você vende passa a ser liberado em ${where}.`];
  await queueSecurityMail(tx, sellerId, { change: "members", origin: from, lines });
}
