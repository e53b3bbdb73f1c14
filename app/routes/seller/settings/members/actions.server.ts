import { z } from "zod";
import { showMemberArea } from "#app/domain/delivery/member-area/list-member-areas.server.ts";
import { memberForm } from "#app/domain/delivery/member-area/member-form.server.ts";
import { saveMemberArea } from "#app/domain/delivery/member-area/save-member-area.server.ts";
import { testMemberArea } from "#app/domain/delivery/member-area/test-member-area.server.ts";
import { listCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { memberDefaults } from "#app/routes/seller/settings/members/loader.server.ts";
import {
  type Action,
  commonActions,
  type Posted,
  reply,
  runAction,
} from "#app/routes/seller/settings/webhooks/destination-actions.server.ts";
import { conflictResult, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";

/** Runs the action of a button of a member area's page. */
export const runMemberAction = (posted: Posted) => runAction(MEMBER_ACTIONS, posted);

const MEMBER_ACTIONS: Record<string, Action> = {
  ...commonActions(
    "members",
    { own: (id) => paths.memberArea(id), all: paths.memberAreas },
    {
      paused: "Área pausada: nenhum acesso é liberado por aqui.",
      resumed: "Área reativada: as próximas vendas liberam o acesso.",
      deleted: "Área de membros excluída.",
    },
  ),
  save,
  test,
};

const FIELDS = {
  name: "Nome",
  area: "Endereço da área",
  token: "Token ou chave",
  with_document: "Enviar CPF ou CNPJ",
  revokes: "Encerrar o acesso quando o dinheiro volta",
  scope: "Produtos",
  products: "Produtos marcados (números)",
  "classes.ids": "Turmas",
};

async function save(posted: Posted) {
  const { seller, id, form, request } = posted;
  const submission = parseForm(form, memberForm);
  if (submission.status !== "success")
    return reply({ result: await withoutToken(posted, submission.reply()) }, 400);
  await requireRecentSignIn(posted, "members");
  try {
    await saveMemberArea(seller.id, id, submission.value, requestOrigin(request), formVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const [area, codes] = await Promise.all([showMemberArea(seller.id, id), listCodes(seller.id)]);
      const current = { saved: memberDefaults(area, codes), version: area.version };
      const result = conflictResult(submission, form, current, FIELDS, ["token"]);
      return reply({ result: await withoutToken(posted, result) }, 409);
    }
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, field, status } = toFailure(error, request);
    const errors = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
    return reply({ result: await withoutToken(posted, submission.reply(errors)) }, status);
  }
  return redirectWithMessage(paths.memberArea(id, "tab=configuracao"), "Área de membros salva com sucesso!");
}

/** What was typed is sent back, except the token: the saved one's mask takes its place. */
async function withoutToken({ seller, id }: Posted, result: FormReply): Promise<FormReply> {
  const { token } = await showMemberArea(seller.id, id);
  return { ...result, initialValue: { ...result.initialValue, token } };
}

const TEST = z.object({ email: z.string().default(""), item: z.string().default("") });

async function test({ seller, id, form, request }: Posted) {
  const submission = parseForm(form, TEST);
  if (submission.status !== "success") throw new Response("Teste desconhecido", { status: 400 });
  const { email, item } = submission.value;
  const chosen = { email: cleanPasted(email).toLowerCase(), item };
  const tested = await throttle("outside-call", request, seller.id)
    .then(() => testMemberArea(seller.id, id, chosen))
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.kind !== "not-found") return error;
      throw error;
    });
  if (tested instanceof Refusal) {
    const { message, field = null, status } = toFailure(tested, request);
    // Not repeated if it is shown at the field.
    const shown = field === "email" ? {} : { testResult: { success: false, message } };
    return reply({ ...shown, typed: { email, item, field, message } }, status);
  }
  const { status, text: outcome, classes } = tested;
  if (status === "sent") {
    const found = classes.length === 1 ? "1 turma encontrada" : `${classes.length} turmas encontradas`;
    const message = classes.length > 0 ? `A chave foi aceita: ${found}.` : "Teste aceito pelo serviço.";
    return redirectWithMessage(paths.memberArea(id), message);
  }
  const again = status === "queued" ? " Vamos tentar de novo sozinhos." : "";
  return reply({
    testResult: { success: false, message: `O teste não passou. ${outcome.text ?? ""}${again}` },
  });
}
