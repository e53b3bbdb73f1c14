import type { Submission, SubmissionResult } from "@conform-to/react";
import { Refusal } from "#app/kit/refusal.ts";
import {
  type ComparedLabels,
  conflictResult,
  isStale,
  type SavedState,
} from "#app/server/forms/conflict.server.ts";
import { maskSecretField } from "#app/server/forms/typed-secrets.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";

type FormReply = SubmissionResult &
  Partial<Pick<ReturnType<typeof conflictResult>, "conflict">> & { typedSecretsSealed?: string };

/**
 * Saves a parsed form. What was typed is sent back where it is invalid, stale or refused, its token as a mask: read the next
 * post through `withTypedSecrets`.
 * @param saving `failed` is said above the form at any error; `current`: what a conflict is compared with, and its fields' names
 * @returns the reply and its status; null once it was saved
 * @throws Refusal not-found where what is saved is gone, as `current` says; whatever `save` throws that is no refusal
 */
export async function saveForm<T, V>(
  submission: Submission<T, string[], V>,
  { seller, form, request }: { seller: { id: string }; form: FormData; request: Request },
  saving: {
    save: (value: V) => Promise<void>;
    current: () => Promise<SavedState & { labels: ComparedLabels }>;
    token: { field: string; mask: () => Promise<string> };
    failed?: string;
  },
): Promise<{ result: FormReply; status: number } | null> {
  const { token, failed } = saving;
  const above = failed ? [failed] : [];
  const reply = async (result: FormReply, status: number) => ({
    result: await maskSecretField(seller.id, result, form, token),
    status,
  });
  if (submission.status !== "success") return reply(submission.reply({ formErrors: above }), 400);
  try {
    await saving.save(submission.value);
    return null;
  } catch (error) {
    if (isStale(error)) {
      const { labels, ...current } = await saving.current();
      return reply(conflictResult(submission, form, current, labels, [token.field]), 409);
    }
    if (!(error instanceof Refusal)) throw error;
    // What the form is about is gone, or only something that was chosen in it.
    if (error.kind === "not-found") await saving.current();
    const { message, field, status } = toFailure(error, request);
    const fieldErrors = field ? { [field]: [message] } : {};
    return reply(submission.reply({ formErrors: field ? above : [...above, message], fieldErrors }), status);
  }
}
