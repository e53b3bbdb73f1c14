import { z } from "zod";
import { answerRefundRequest } from "#app/domain/refund/request/answer-refund-request.server.ts";
import { parseForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";

/** The action itself validates the text. */
const declineForm = z.object({ words: z.string().default("") });

/** Declines a refund request; if that fails, the text is preserved. `here` is the sale's page. */
export async function decline(
  request: Request,
  sellerId: string,
  saleId: string,
  { form, here }: { form: FormData; here: string },
) {
  const submission = parseForm(form, declineForm);
  const text = submission.status === "success" ? submission.value.words : "";
  try {
    await answerRefundRequest(sellerId, saleId, { answer: "declined", text });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
  return redirectWithMessage(here, "Resposta enviada ao comprador.");
}
