import { data } from "@remix-run/node";
import { emailForm } from "#app/domain/identity/credentials-form.server.ts";
import { badForm, readForm, refusedForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";

/**
 * Takes the address that asks for a link, counts it under `limit` and has `send` mail it. The reply is the same whether the
 * address has an account or not.
 */
export async function mailLink(
  request: Request,
  limit: "reset" | "confirm",
  send: (email: string) => Promise<void>,
) {
  const submission = await readForm(request, emailForm);
  if (submission.status !== "success") return badForm(submission);
  const { email } = submission.value;
  try {
    await throttle(limit, request, email);
    await send(email);
    return data({ sent: email });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}
