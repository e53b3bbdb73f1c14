import { z } from "zod";
import { showMemberArea } from "#app/domain/outbox/members/list-member-areas.server.ts";
import { memberForm } from "#app/domain/outbox/members/member-form.server.ts";
import { saveMemberArea } from "#app/domain/outbox/members/save-member-area.server.ts";
import { testMemberArea } from "#app/domain/outbox/members/test-member-area.server.ts";
import { listCodes } from "#app/domain/outbox/webhook/list-codes.server.ts";
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
import type { KeptReply } from "#app/ui/seller/form/kept-form.tsx";
import { conflictResult, isStale, shownVersion } from "#app/web/conflict.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireRecentSignIn } from "#app/web/session/recent-sign-in.server.ts";

/** Does what a button of a member area's page asks for. */
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
    await saveMemberArea(seller.id, id, submission.value, originOf(request), shownVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const [area, codes] = await Promise.all([showMemberArea(seller.id, id), listCodes(seller.id)]);
      const stands = { saved: memberDefaults(area, codes), version: area.version };
      const result = conflictResult(submission, form, stands, FIELDS, ["token"]);
      return reply({ result: await withoutToken(posted, result) }, 409);
    }
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, field, status } = toFailure(error, request);
    const said = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
    return reply({ result: await withoutToken(posted, submission.reply(said)) }, status);
  }
  return redirectSaying(paths.memberArea(id, "tab=configuracao"), "Área de membros salva com sucesso!");
}

/** What was typed goes back to the page, but for the token: the saved one's mask stands in its place. */
async function withoutToken({ seller, id }: Posted, result: KeptReply): Promise<KeptReply> {
  const { token } = await showMemberArea(seller.id, id);
  return { ...result, initialValue: { ...result.initialValue, token } };
}

const TEST = z.object({ email: z.string().default(""), item: z.string().default("") });

async function test({ seller, id, form, request }: Posted) {
  const submission = parseForm(form, TEST);
  if (submission.status !== "success") throw new Response("Teste desconhecido", { status: 400 });
  const { email, item } = submission.value;
  const chosen = { email: cleanPasted(email).toLowerCase(), item };
  const tried = await throttle("outside-call", request, seller.id)
    .then(() => testMemberArea(seller.id, id, chosen))
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.kind !== "not-found") return error;
      throw error;
    });
  if (tried instanceof Refusal) {
    const { message, field = null, status } = toFailure(tried, request);
    // Beside the field it is said once.
    const said = field === "email" ? {} : { tried: { success: false, message } };
    return reply({ ...said, typed: { email, item, field, message } }, status);
  }
  const { status, words, classes } = tried;
  if (status === "sent") {
    const found = classes.length === 1 ? "1 turma encontrada" : `${classes.length} turmas encontradas`;
    const said = classes.length > 0 ? `A chave foi aceita: ${found}.` : "Teste aceito pelo serviço.";
    return redirectSaying(paths.memberArea(id), said);
  }
  const again = status === "queued" ? " Vamos tentar de novo sozinhos." : "";
  return reply({ tried: { success: false, message: `O teste não passou. ${words.text ?? ""}${again}` } });
}
