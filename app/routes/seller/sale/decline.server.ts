import { z } from "zod";
import { answerQuestion } from "#app/domain/refund/asked/answer-question.server.ts";
import { parseForm, refusedForm } from "#app/web/forms.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";

/** What is wrong with the words the verb says itself. */
const declineForm = z.object({ words: z.string().default("") });

/** Says no to a buyer's question; where that is refused, the words stay. `here` is the sale's page. */
export async function decline(
  request: Request,
  sellerId: string,
  saleId: string,
  { form, here }: { form: FormData; here: string },
) {
  const submission = parseForm(form, declineForm);
  const words = submission.status === "success" ? submission.value.words : "";
  try {
    await answerQuestion(sellerId, saleId, { answer: "declined", words });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
  return redirectSaying(here, "Resposta enviada ao comprador.");
}
