import type { LoaderFunctionArgs } from "@remix-run/node";
import { findVariant } from "#app/domain/picture/find-variant.server.ts";
import { FileGone } from "#app/platform/storage/keeper.ts";
import { endpoint } from "#app/web/api.server.ts";
import { sendPicture } from "#app/web/files/send-picture.server.ts";

/** One size of a seller's picture, for anybody: no session is asked for, and no cookie is set. */
export const { loader, action } = endpoint({ GET: show });

async function show({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { key = "", name = "" } = params;
  const variant = await findVariant(key, name);
  if (!variant) return missing();
  try {
    return await sendPicture(request, { tag: `${key}/${name}`, ...variant });
  } catch (error) {
    if (error instanceof FileGone) return missing();
    throw error;
  }
}

function missing(): Response {
  return new Response("Imagem não encontrada", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
