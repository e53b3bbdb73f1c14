import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import { setProductActive } from "#app/domain/catalog/set-product-active.server.ts";
import { fileForm, linkForm, textForm } from "#app/domain/content/content-form.server.ts";
import { MAX_FORM_FILE_BYTES } from "#app/domain/content/limits.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { type ContentOwner, ownerKey } from "#app/domain/content/lock-own-content.server.ts";
import { moveItem } from "#app/domain/content/order-items.server.ts";
import { receivePart } from "#app/domain/content/receive-part.server.ts";
import { removeItem } from "#app/domain/content/remove-item.server.ts";
import { addItem, changeItem } from "#app/domain/content/save-item.server.ts";
import { beginUpload, cancelUpload } from "#app/domain/content/upload.server.ts";
import { itemVersion } from "#app/domain/content/version.server.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { conflictResult, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { ARRIVED } from "#app/ui/seller/content/cancel-upload.ts";

export type Posted = {
  request: Request;
  sellerId: string;
  productId: number;
  owner: ContentOwner;
  form: FormData;
  file: File | null;
};

/** The action of each button on a content's page. */
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
        return orRefusedPage(posted.request, Promise.reject(error));
      return data({ about: "page", message: error.message }, { status: 409 });
    }
    return redirectBack(posted, "Item removido.", idIn(posted));
  },
  activate: async (posted: Posted) => {
    try {
      const name = await setProductActive(posted.sellerId, posted.productId, true);
      return await redirectBack(posted, `Produto "${name}" ativado`);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "invalid")
        return orRefusedPage(posted.request, Promise.reject(error));
      return data({ about: "page", message: `Erro ao ativar produto: ${error.message}` }, { status: 400 });
    }
  },
  cancel: async (posted: Posted) => {
    if (await orRefusedPage(posted.request, cancelUpload(posted.sellerId, idIn(posted))))
      return redirectBack(posted, "Envio cancelado.");
    return data({ about: "page", message: ARRIVED }, { status: 409 });
  },
};

async function save(posted: Posted, kind: "file" | "link" | "text", about: string) {
  const { request, sellerId, productId, owner, form } = posted;
  const schema = kind === "link" ? linkForm : kind === "text" ? textForm : fileForm;
  const submission = parseForm(form, schema);
  if (submission.status !== "success") return data({ about, result: submission.reply() }, { status: 400 });
  const fields = submission.value;
  const isKnown = about === idIn({ form });
  try {
    if (isKnown) await changeItem(sellerId, about, kind, fields, formVersion(form));
    else await addItem(sellerId, productId, owner, { kind, ...fields } as never);
  } catch (error) {
    if (isStale(error)) return conflict(posted, submission, about);
    if (isKnown && isMissing(error)) return itemRemoved(submission, kind);
    return refused(submission, about, error, request);
  }
  return redirectBack(posted, isKnown ? "Item salvo." : "Item incluído.", about);
}

/** The reply to the form of an item that was saved elsewhere meanwhile. */
async function conflict<T>(posted: Posted, submission: Submission<T, string[]>, about: string) {
  const item = (await listOwnItems(posted)).find(({ id }) => id === about);
  if (!item) return itemRemoved(submission, String(posted.form.get("kind")));
  const { name, url, html } = item;
  const stamp = item.stamp.on ? "on" : "";
  const current = { saved: { name, url, html, stamp }, version: itemVersion(item) };
  return data({ about, result: conflictResult(submission, posted.form, current, LABELS) }, { status: 409 });
}

const LABELS = { name: "Nome para quem compra", url: "Endereço", html: "Texto", stamp: "Carimbo" };

async function listOwnItems({ sellerId, productId, owner }: Posted) {
  const contents = await listContent(sellerId, productId);
  return contents.find(({ key }) => key === ownerKey(owner))?.items ?? [];
}

/** Text typed into an item that was removed meanwhile is returned in the form of a new one. */
function itemRemoved<T>(submission: Submission<T, string[]>, kind: string) {
  const message = "Este item foi removido em outra aba ou por outra pessoa.";
  if (kind === "file") return data({ about: "page", message }, { status: 404 });
  const formErrors = [`${message} O que você preencheu está aqui: inclua de novo, se quiser.`];
  return data({ about: `add-${kind}`, result: submission.reply({ formErrors }) }, { status: 404 });
}

function isMissing(error: unknown): boolean {
  return error instanceof Refusal && error.kind === "not-found";
}

async function refused<T>(
  submission: Submission<T, string[]>,
  about: string,
  error: unknown,
  request: Request,
) {
  if (!(error instanceof Refusal) || error.kind === "not-found")
    return orRefusedPage(request, Promise.reject(error));
  const { message, field } = error;
  if (field)
    return data(
      { about, result: submission.reply({ fieldErrors: { [field]: [message] } }) },
      { status: 400 },
    );
  return data({ about, result: submission.reply({ formErrors: [message] }) }, { status: 409 });
}

/** A file sent within a form, by a browser without scripts. */
async function sendWhole({ request, sellerId, productId, owner, form, file }: Posted) {
  const message = (text: string, status: number) => data({ about: "page", message: text }, { status });
  if (!file) return message("Escolha um arquivo.", 400);
  if (file.size > MAX_FORM_FILE_BYTES)
    return message(`Sem JavaScript um arquivo pode ter até ${formatBytes(MAX_FORM_FILE_BYTES)}.`, 413);
  try {
    await throttle("announce-file", request, sellerId);
    const upload = {
      productId,
      owner,
      name: file.name,
      size: file.size,
      replacedItemId: idIn({ form }) || null,
    };
    const id = await beginUpload(sellerId, upload);
    await receivePart(
      sellerId,
      id,
      { offset: 0, length: file.size },
      () => file.stream() as unknown as AsyncIterable<Uint8Array>,
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "not-found")
      return orRefusedPage(request, Promise.reject(error));
    return message(error.message, error.kind === "unavailable" ? 503 : error.kind === "too-many" ? 429 : 409);
  }
  return redirectBack({ request, productId, owner }, "Arquivo enviado.");
}

async function move(posted: Posted, by: -1 | 1) {
  const { request, sellerId, form } = posted;
  try {
    await moveItem(sellerId, idIn(posted), by, formVersion(form));
  } catch (error) {
    if (!isStale(error)) return orRefusedPage(request, Promise.reject(error));
    const message =
      "A lista mudou em outra aba ou por outra pessoa. Ela está abaixo como ficou: mova de novo.";
    return data({ about: "page", message }, { status: 409 });
  }
  return redirectBack(posted, "Ordem salva.");
}

/** Back to the page; the form of another item stays open, because it may contain unsaved text. */
function redirectBack(
  { request, productId, owner }: Pick<Posted, "request" | "productId" | "owner">,
  message: string,
  done = "",
): Promise<Response> {
  const open = new URL(request.url).searchParams.get("edit") ?? "";
  const editing = isUuid(open) && open !== done ? open : undefined;
  return redirectWithMessage(paths.productContent(productId, ownerKey(owner), editing), message);
}

function idIn({ form }: Pick<Posted, "form">): string {
  return String(form.get("id") ?? "");
}
