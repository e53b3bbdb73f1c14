import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "#app/kit/paths.ts";
import { endpoint, errorJson } from "#app/server/api/endpoint.server.ts";
import { pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { type RefusalReason, refusalReason } from "#app/server/pipeline/guard-requests.server.ts";
import { MAX_PUBLIC_BODY, readBytes } from "#app/server/request/read-bytes.server.ts";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

const ANSWERS: Record<RefusalReason | "nothing", { status: number; title: string; text: string }> = {
  "cross-site": {
    status: 403,
    title: "Pedido recusado",
    text: "Este pedido veio de outro site e foi recusado",
  },
  unreadable: { status: 400, title: "Endereço inválido", text: "Este endereço não pode ser lido" },
  nothing: { status: 404, title: "Página não encontrada", text: "O endereço não existe" },
};

/** The request pipeline redirects here what it refuses, from any address. There is no other content. */
export const { loader, action } = endpoint({
  GET: refuse,
  POST: refuse,
  PUT: refuse,
  PATCH: refuse,
  DELETE: refuse,
});

async function refuse({ request }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  // A browser that is still sending would not read the response.
  await readBytes(request, MAX_PUBLIC_BODY).catch(() => null);
  const { status, title, text } = ANSWERS[refusalReason(request) ?? "nothing"];
  if (request.headers.get("accept")?.includes("application/json"))
    return errorJson({ status, message: text });
  const children = (
    <MessagePage icon={status === 404 ? "missing" : "problem"} title={title} text={text}>
      <a className="btn btn-main" href={paths.home()}>
        Voltar ao início
      </a>
    </MessagePage>
  );
  return pageResponse(await renderPage(BUYER_SHELL, { title, children }), { status });
}
