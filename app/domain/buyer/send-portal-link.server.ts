import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { buyerSessions } from "#app/db/schema/buyers.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { validUntil } from "#app/domain/mail/message/valid-until.ts";
import { linkEnd } from "#app/domain/mail/queue/link-lifetimes.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

/** Longer than the work takes, so that the duration does not reveal whether the address bought anything. */
const MIN_WAIT = SECOND / 4;

/** Mails a portal link to an address that bought something. Other addresses get nothing, and the result does not differ. */
export async function sendPortalLink(email: string): Promise<void> {
  await Promise.all([queueLink(email), new Promise((resolve) => setTimeout(resolve, MIN_WAIT))]);
}

async function queueLink(email: string): Promise<void> {
  const [bought] = await db
    .select({ id: sales.id })
    .from(sales)
    .where(and(eq(sales.customerEmail, email), isNotNull(sales.completedAt)))
    .limit(1);
  if (!bought) return;
  const token = randomToken();
  const expiresAt = linkEnd("buyer-link");
  const isValid = `O link ${validUntil(expiresAt)} e funciona uma vez`;
  await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(buyerSessions)
      .values({ email, linkHash: hashToken(token), expiresAt })
      .returning({ id: buyerSessions.id });
    await queueMail(tx, {
      kind: "buyer-link",
      idempotencyKey: `buyer-link/${row!.id}`,
      recipient: email,
      mail: {
        subject: "Suas compras: o link para entrar",
        html: renderMailLayout({
          title: "Entre em Minhas compras",
          preview: `${isValid}.`,
          bodyHtml: [
            renderParagraph(
              "Alguém pediu para ver as compras feitas com este e-mail. Foi você? É só tocar no botão.",
            ),
            renderMailButton("Ver minhas compras", env.APP_URL + paths.openPurchases(token)),
            renderParagraph(`${isValid}, no aparelho em que for aberto.`),
          ].join("\n"),
          footerHtml: "Se você não pediu este e-mail, pode ignorá-lo: ninguém mais o recebeu.",
        }),
      },
    });
  });
}
