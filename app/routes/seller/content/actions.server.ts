import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import { switchProduct } from "#app/domain/catalog/switch-product.server.ts";
import { beginUpload } from "#app/domain/content/begin-upload.server.ts";
import { cancelUpload } from "#app/domain/content/cancel-upload.server.ts";
import { fileForm, linkForm, textForm } from "#app/domain/content/content-form.server.ts";
import { FORM_FILE } from "#app/domain/content/limits.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { moveItem } from "#app/domain/content/order-items.server.ts";
import { type Owner, ownerName } from "#app/domain/content/owner.ts";
import { removeItem } from "#app/domain/content/remove-item.server.ts";
import { addItem, changeItem } from "#app/domain/content/save-item.server.ts";
import { takePart } from "#app/domain/content/take-part.server.ts";
import { itemVersion } from "#app/domain/content/version.server.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { conflictResult, isStale, shownVersion } from "#app/web/conflict.server.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
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
    return back(posted, "Item removido.", idIn(posted));
  },
  activate: async (posted: Posted) => {
    try {
      const name = await switchProduct(posted.sellerId, posted.productId, true);
      return await back(posted, `Produto "${name}" ativado`);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "invalid")
        return orRefuse(posted.request, Promise.reject(error));
      return data({ about: "page", said: `Erro ao ativar produto: ${error.message}` }, { status: 400 });
    }
  },
  cancel: async (posted: Posted) => {
    await orRefuse(posted.request, cancelUpload(posted.sellerId, idIn(posted)));
    return back(posted, "Envio cancelado.");
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
    if (isKnown) await changeItem(sellerId, about, kind, fields, shownVersion(form));
    else await addItem(sellerId, productId, owner, { kind, ...fields } as never);
  } catch (error) {
    if (isStale(error)) return conflict(posted, submission, about);
    if (isKnown && isMissing(error)) return gone(submission, kind);
    return refused(submission, about, error, request);
  }
  return back(posted, isKnown ? "Item salvo." : "Item incluído.", about);
}

/** What came back to the form of an item that somebody else saved meanwhile. */
async function conflict<T>(posted: Posted, submission: Submission<T, string[]>, about: string) {
  const item = (await itemsShown(posted)).find(({ id }) => id === about);
  if (!item) return gone(submission, String(posted.form.get("kind")));
  const { name, url, html } = item;
  const stamp = item.stamp.on ? "on" : "";
  const stands = { saved: { name, url, html, stamp }, version: itemVersion(item) };
  return data({ about, result: conflictResult(submission, posted.form, stands, LABELS) }, { status: 409 });
}

const LABELS = { name: "Nome para quem compra", url: "Endereço", html: "Texto", stamp: "Carimbo" };

async function itemsShown({ sellerId, productId, owner }: Posted) {
  const contents = await listContent(sellerId, productId);
  return contents.find(({ key }) => key === ownerName(owner))?.items ?? [];
}

/** What was typed into an item that somebody removed meanwhile goes to the form of a new one. */
function gone<T>(submission: Submission<T, string[]>, kind: string) {
  const said = "Este item foi removido em outra aba ou por outra pessoa.";
  if (kind === "file") return data({ about: "page", said }, { status: 404 });
  const formErrors = [`${said} O que você preencheu está aqui: inclua de novo, se quiser.`];
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
    return orRefuse(request, Promise.reject(error));
  const { message, field } = error;
  if (field)
    return data(
      { about, result: submission.reply({ fieldErrors: { [field]: [message] } }) },
      { status: 400 },
    );
  return data({ about, result: submission.reply({ formErrors: [message] }) }, { status: 409 });
}

/** A file that a form carries whole, from a browser without a script. */
async function sendWhole({ request, sellerId, productId, owner, form, file }: Posted) {
  const said = (text: string, status: number) => data({ about: "page", said: text }, { status });
  if (!file) return said("Escolha um arquivo.", 400);
  if (file.size > FORM_FILE)
    return said(`Sem JavaScript um arquivo pode ter até ${formatBytes(FORM_FILE)}.`, 413);
  try {
    await throttle("announce-file", request, sellerId);
    const upload = { productId, owner, name: file.name, size: file.size, replaces: idIn({ form }) || null };
    const id = await beginUpload(sellerId, upload);
    await takePart(
      sellerId,
      id,
      { offset: 0, length: file.size },
      () => file.stream() as unknown as AsyncIterable<Uint8Array>,
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "not-found")
      return orRefuse(request, Promise.reject(error));
    return said(error.message, error.kind === "unavailable" ? 503 : error.kind === "too-many" ? 429 : 409);
  }
  return back({ request, productId, owner }, "Arquivo enviado.");
}

async function move(posted: Posted, by: -1 | 1) {
  const { request, sellerId, form } = posted;
  try {
    await moveItem(sellerId, idIn(posted), by, shownVersion(form));
  } catch (error) {
    if (!isStale(error)) return orRefuse(request, Promise.reject(error));
    const said = "A lista mudou em outra aba ou por outra pessoa. Ela está abaixo como ficou: mova de novo.";
    return data({ about: "page", said }, { status: 409 });
  }
  return back(posted, "Ordem salva.");
}

/** To the page; the form of another item stays open, for something may be typed there. */
function back(
  { request, productId, owner }: Pick<Posted, "request" | "productId" | "owner">,
  message: string,
  done = "",
): Promise<Response> {
  const open = new URL(request.url).searchParams.get("edit") ?? "";
  const editing = isUuid(open) && open !== done ? open : undefined;
  return redirectSaying(paths.productContent(productId, ownerName(owner), editing), message);
}

function idIn({ form }: Pick<Posted, "form">): string {
  return String(form.get("id") ?? "");
}
