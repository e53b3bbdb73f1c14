import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { Credentials } from "#app/domain/identity/credentials-form.server.ts";
import { isPassword } from "#app/domain/identity/password.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * The result of a sign-in; `unconfirmed` is only returned for a correct password. `passwordHash`: what it was compared
 * with, for `openSession`, since the password may be replaced while it is checked.
 */
export type SignInResult =
  | { outcome: "welcome"; sellerId: string; passwordHash: string }
  | { outcome: "unconfirmed"; email: string };

/**
 * Checks e-mail and password. An unknown e-mail and a wrong password take the same time and get the same answer.
 * @throws Refusal unauthorized
 */
export async function signIn({ email, password }: Credentials): Promise<SignInResult> {
  const [seller] = await db
    .select({
      id: sellers.id,
      passwordHash: sellers.passwordHash,
      emailVerifiedAt: sellers.emailVerifiedAt,
    })
    .from(sellers)
    .where(eq(sellers.email, email));
  const isCorrect = await isPassword(password, seller?.passwordHash ?? null);
  if (!seller?.passwordHash || !isCorrect) throw new Refusal("unauthorized", "E-mail ou senha incorretos");
  return seller.emailVerifiedAt
    ? { outcome: "welcome", sellerId: seller.id, passwordHash: seller.passwordHash }
    : { outcome: "unconfirmed", email };
}
