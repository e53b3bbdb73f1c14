import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "#app/kit/paths.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { endpoint, errorJson } from "#app/web/api.server.ts";
import { renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { type RefusedAt, refusedAt } from "#app/web/door/front-door.server.ts";
import { readBytes, STRANGERS_BODY } from "#app/web/door/read-bytes.server.ts";

const ANSWERS: Record<RefusedAt | "nothing", { status: number; title: string; text: string }> = {
  "cross-site": {
    status: 403,
    title: "Pedido recusado",
    text: "Este pedido veio de outro site e foi recusado",
  },
  unreadable: { status: 400, title: "Endereço inválido", text: "Este endereço não pode ser lido" },
  nothing: { status: 404, title: "Página não encontrada", text: "O endereço não existe" },
};

/** Where the front door sends what it refuses, whatever address that asked for. There is nothing else here. */
export const { loader, action } = endpoint({
  GET: refuse,
  POST: refuse,
  PUT: refuse,
  PATCH: refuse,
  DELETE: refuse,
});

async function refuse({ request }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  // A browser that is still sending would not look at the answer.
  await readBytes(request, STRANGERS_BODY).catch(() => null);
  const { status, title, text } = ANSWERS[refusedAt(request) ?? "nothing"];
  if (request.headers.get("accept")?.includes("application/json"))
    return errorJson({ status, message: text });
  const children = (
    <MessagePage icon={status === 404 ? "missing" : "problem"} title={title} text={text}>
      <a className="btn btn-main" href={paths.home()}>
        Voltar ao início
      </a>
    </MessagePage>
  );
  return respond(renderPage(LOOK, { title, children }), { status });
}
