import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { PrewrittenMailKind } from "#app/db/schema/mail-data.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { env } from "#app/platform/env.server.ts";

/** `about`: what it is sent once a day for; `paragraphs`: as HTML; `path`: where its button leads in the app. */
type DailyMail = {
  kind: PrewrittenMailKind;
  about: string;
  title: string;
  preview: string;
  paragraphs: string[];
  button: string;
  path: string;
};

/** Queues a notification mail to a seller that is sent once a day at most for what it is about, in São Paulo's days. */
export async function queueDailyMail(
  sellerId: string,
  { kind, about, title, preview, paragraphs, button, path }: DailyMail,
): Promise<void> {
  const [seller] = await db
    .select({ name: sellers.name, email: sellers.email })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  if (!seller) return;
  await queueMail(db, {
    kind,
    idempotencyKey: `${kind}/${about}/${dayOf(new Date())}`,
    recipient: seller.email,
    sellerId,
    mail: {
      subject: title,
      html: renderMailLayout({
        title,
        preview,
        bodyHtml: [
          renderParagraph(greeting(seller.name)),
          ...paragraphs.map(renderParagraph),
          renderMailButton(button, env.APP_URL + path),
        ].join("\n"),
        footerHtml: "Você recebe este aviso no máximo uma vez por dia.",
      }),
    },
  });
}
