import { data } from "@remix-run/node";
import { emailForm } from "#app/domain/identity/credentials-form.server.ts";
import { invalidForm, readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";

/**
 * Reads the address that requests a link, counts the request under `limit` and mails the link with `send`. The reply is
 * the same whether the address has an account or not.
 */
export async function sendRequestedLink(
  request: Request,
  limit: "reset" | "confirm",
  send: (email: string) => Promise<void>,
) {
  const submission = await readForm(request, emailForm);
  if (submission.status !== "success") return invalidForm(submission);
  const { email } = submission.value;
  try {
    await throttle(limit, request, email);
    await send(email);
    return data({ sent: email });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}
