import type { LoaderFunctionArgs } from "@remix-run/node";
import { findVariant } from "#app/domain/picture/find-variant.server.ts";
import { FileMissing } from "#app/platform/storage/blob-store.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { sendPicture } from "#app/server/files/send-picture.server.ts";

/** One variant of a seller's picture, public: requires no session and sets no cookie. */
export const { loader, action } = endpoint({ GET: show });

async function show({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { key = "", name = "" } = params;
  const variant = await findVariant(key, name);
  if (!variant) return missing();
  try {
    return await sendPicture(request, { tag: `${key}/${name}`, ...variant });
  } catch (error) {
    if (error instanceof FileMissing) return missing();
    throw error;
  }
}

function missing(): Response {
  return new Response("Imagem não encontrada", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
