import { and, desc, eq, gt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailTokens, sellers } from "#app/db/schema/sellers.server.ts";
import { unusedForOtherAddresses } from "#app/domain/identity/email/issue-email-token.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/** Account data the seller may see. `pendingEmail` is not confirmed yet; `phone` is E.164. */
export type Account = {
  name: string;
  email: string;
  company: string | null;
  phone: string | null;
  pendingEmail: string | null;
  hasPassword: boolean;
  /** Whether the identity provider opens it. */
  hasIdentity: boolean;
  notifyNewSale: boolean;
  notifyFailedPayment: boolean;
  notifyWeeklyReport: boolean;
  notifyMonthlyReport: boolean;
};

/** The account for the settings page. */
export async function findAccount(sellerId: string): Promise<Account> {
  const [row] = await db
    .select({
      name: sellers.name,
      email: sellers.email,
      company: sellers.company,
      phone: sellers.phone,
      passwordHash: sellers.passwordHash,
      oauthSubject: sellers.oauthSubject,
      notifyNewSale: sellers.notifyNewSale,
      notifyFailedPayment: sellers.notifyFailedPayment,
      notifyWeeklyReport: sellers.notifyWeeklyReport,
      notifyMonthlyReport: sellers.notifyMonthlyReport,
    })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  if (!row) throw notFound();
  const [pending] = await db
    .select({ email: emailTokens.email })
    .from(emailTokens)
    .where(
      and(
        unusedForOtherAddresses({ sellerId, purpose: "confirm", email: row.email }),
        gt(emailTokens.expiresAt, new Date()),
      ),
    )
    .orderBy(desc(emailTokens.createdAt))
    .limit(1);
  const { passwordHash, oauthSubject, ...account } = row;
  return {
    ...account,
    pendingEmail: pending?.email ?? null,
    hasPassword: passwordHash !== null,
    hasIdentity: oauthSubject !== null,
  };
}
