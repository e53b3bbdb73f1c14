import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { sendConfirmation } from "#app/domain/identity/email/send-confirmation.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { refuseGuessablePassword } from "#app/domain/identity/refuse-guessable.server.ts";
import type { Registration } from "#app/domain/identity/register-form.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Creates an account, which is valid once its e-mail is confirmed, and queues the confirmation mail.
 * @returns the seller's id
 * @throws Refusal conflict if the address has an account; invalid (`password`)
 */
export async function register({ name, email, password }: Registration): Promise<string> {
  await refuseGuessablePassword(password, [name, email]);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const [seller] = await tx
      .insert(sellers)
      .values({ name, email, passwordHash })
      .onConflictDoNothing({ target: sellers.email })
      .returning({ id: sellers.id });
    if (!seller)
      throw new Refusal("conflict", "Este e-mail já tem uma conta. Faça login ou recupere a senha.", "email");
    await sendConfirmation(tx, { id: seller.id, name, email });
    return seller.id;
  });
}
