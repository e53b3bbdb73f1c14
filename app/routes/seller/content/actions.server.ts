import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import { beginUpload } from "#app/domain/content/begin-upload.server.ts";
import { cancelUpload } from "#app/domain/content/cancel-upload.server.ts";
import { fileForm, linkForm, textForm } from "#app/domain/content/content-form.server.ts";
import { FORM_FILE } from "#app/domain/content/limits.ts";
import { moveItem } from "#app/domain/content/move-item.server.ts";
import { type Owner, ownerName } from "#app/domain/content/owner.ts";
import { removeItem } from "#app/domain/content/remove-item.server.ts";
import { addItem, changeItem } from "#app/domain/content/save-item.server.ts";
import { takePart } from "#app/domain/content/take-part.server.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { orRefuse } from "#app/web/pages.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";

export type Posted = {
  request: Request;
  sellerId: string;
  productId: number;
  owner: Owner;
  form: FormData;
  file: File | null;
};

/** What each button of a content's page does. */
export const CONTENT_ACTIONS = {
  "add-link": async (posted: Posted) => save(posted, "link", "add-link"),
  "add-text": async (posted: Posted) => save(posted, "text", "add-text"),
  save: async (posted: Posted) => {
    const kind = String(posted.form.get("kind"));
    if (kind !== "link" && kind !== "text" && kind !== "file")
      throw new Response("Ação desconhecida", { status: 400 });
    return save(posted, kind, idIn(posted));
  },
  send: sendWhole,
  up: async (posted: Posted) => move(posted, -1),
  down: async (posted: Posted) => move(posted, 1),
  remove: async (posted: Posted) => {
    try {
      await removeItem(posted.sellerId, idIn(posted));
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "conflict")
        return orRefuse(posted.request, Promise.reject(error));
      return data({ about: "page", said: error.message }, { status: 409 });
    }
    return back(posted, "Item removido.");
  },
  cancel: async (posted: Posted) => {
    await orRefuse(posted.request, cancelUpload(posted.sellerId, idIn(posted)));
    return back(posted, "Envio cancelado.");
  },
};

async function save(
  { request, sellerId, productId, owner, form }: Posted,
  kind: "file" | "link" | "text",
  about: string,
) {
  const schema = kind === "link" ? linkForm : kind === "text" ? textForm : fileForm;
  const submission = parseForm(form, schema);
  if (submission.status !== "success") return data({ about, result: submission.reply() }, { status: 400 });
  const fields = submission.value;
  try {
    if (about !== idIn({ form })) await addItem(sellerId, productId, owner, { kind, ...fields } as never);
    else await changeItem(sellerId, about, kind, fields);
  } catch (error) {
    return refused(submission, about, error, request);
  }
  return back({ productId, owner }, about === idIn({ form }) ? "Item salvo." : "Item incluído.");
}

async function refused<T>(
  submission: Submission<T, string[]>,
  about: string,
  error: unknown,
  request: Request,
) {
  if (!(error instanceof Refusal) || error.kind === "not-found")
    return orRefuse(request, Promise.reject(error));
  return data({ about, result: submission.reply({ formErrors: [error.message] }) }, { status: 409 });
}

/** A file that a form carries whole, from a browser without a script. */
async function sendWhole({ request, sellerId, productId, owner, form, file }: Posted) {
  const said = (text: string, status: number) => data({ about: "page", said: text }, { status });
  if (!file) return said("Escolha um arquivo.", 400);
  if (file.size > FORM_FILE)
    return said(`Sem JavaScript um arquivo pode ter até ${formatBytes(FORM_FILE)}.`, 413);
  try {
    const upload = { productId, owner, name: file.name, size: file.size, replaces: idIn({ form }) || null };
    const id = await beginUpload(sellerId, upload);
    await takePart(
      sellerId,
      id,
      { offset: 0, length: file.size },
      file.stream() as unknown as AsyncIterable<Uint8Array>,
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "not-found")
      return orRefuse(request, Promise.reject(error));
    return said(error.message, error.kind === "unavailable" ? 503 : 409);
  }
  return back({ productId, owner }, "Arquivo enviado.");
}

async function move(posted: Posted, by: -1 | 1) {
  await orRefuse(posted.request, moveItem(posted.sellerId, idIn(posted), by));
  return back(posted, "Ordem salva.");
}

function back({ productId, owner }: Pick<Posted, "productId" | "owner">, message: string): Promise<Response> {
  return redirectSaying(paths.productContent(productId, ownerName(owner)), message);
}

function idIn({ form }: Pick<Posted, "form">): string {
  return String(form.get("id") ?? "");
}
