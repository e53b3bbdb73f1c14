import type { LoaderFunctionArgs } from "@remix-run/node";
import { openDownload } from "#app/domain/access/open-download.server.ts";
import { type OpenedItem, openItem } from "#app/domain/access/open-item.server.ts";
import { reportMissingFile } from "#app/domain/access/report-missing-file.server.ts";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { deleteStampedCopy } from "#app/domain/stamped-copy/request-stamped-copy.server.ts";
import { textPalette } from "#app/domain/storefront/build-palette.ts";
import { findStorefront } from "#app/domain/storefront/find-storefront.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { KEY_PARAMETER, paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { FileMissing } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { attachmentDisposition } from "#app/server/files/attachment-disposition.ts";
import { sendFile } from "#app/server/files/send-file.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { toFailure } from "#app/server/response/failure.server.ts";
import { readProof } from "#app/server/session/proof.server.ts";
import { AccessEndedPage } from "#app/ui/buyer/access-ended-page.tsx";
import { describeContact } from "#app/ui/buyer/describe-contact.ts";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { describeAccessEnd } from "#app/ui/buyer/purchases/access-end-texts.ts";
import { TextPage } from "#app/ui/buyer/text-page.tsx";

/** Something that was bought: a file, a text to read, or a redirect to a link. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, open, ["GET"]);
}

export { loader as action };

async function open({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const { saleId = "", lineId = "" } = params;
  const proof = await readProof(request);
  try {
    if (!query.has("item")) return lead(await openDownload(saleId, lineId, query, proof));
    const opened = await openItem({ saleId, lineId, query, proof });
    return await answer(request, saleId, opened, query.get(KEY_PARAMETER) ?? "");
  } catch (error) {
    if (!(error instanceof Refusal) || !error.code) throw error;
    return await renderEnded(request, error, { saleId, lineId, itemId: query.get("item") });
  }
}

async function answer(request: Request, saleId: string, opened: OpenedItem, key: string): Promise<Response> {
  if (opened.kind === "lead") return lead(opened.to);
  if (opened.kind === "text") return text(paths.thankYou(saleId, key), opened);
  const back = paths.thankYou(saleId, key);
  if (opened.kind === "preparing") return preparing(request, back);
  if (opened.kind === "missing") return refuseMissing(opened.fileId);
  if (new URL(request.url).searchParams.has(WAITED)) return prepared(request, back);
  const { fileId, name, size, contentType, readyAt, isCopy, count } = opened;
  const read = (from: number, to: number) => storage.readChunks(fileId, from, to);
  try {
    const to = await storage.link(
      fileId,
      { contentType, disposition: attachmentDisposition(name) },
      lifeOf(size),
    );
    if (to) {
      if (request.method === "GET") await count();
      return lead(to);
    }
    return await sendFile(request, {
      saleId,
      tag: fileId,
      name,
      size,
      contentType,
      modifiedAt: readyAt,
      read,
      countDownload: count,
    });
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    if (isCopy) {
      await deleteStampedCopy(fileId);
      return preparing(request, back);
    }
    return refuseMissing(fileId);
  }
}

const MISSING = "file_missing";

async function refuseMissing(fileId: string): Promise<never> {
  await reportMissingFile(fileId);
  throw new Refusal(
    "unavailable",
    "O arquivo não está disponível agora. Quem vendeu já sabe; tente de novo mais tarde.",
    undefined,
    undefined,
    MISSING,
  );
}

/**
 * Marks the URL of a page that waits: when the file is ready the page says so, because a download leaves the page
 * unchanged.
 */
const WAITED = "espera";

/** A page that reloads itself, with and without a script. */
async function preparing(request: Request, back: string): Promise<Response> {
  const again = new URL(request.url);
  again.searchParams.set(WAITED, "1");
  const title = "Preparando seu arquivo…";
  const children = (
    <MessagePage
      icon="waiting"
      title={title}
      text="Cada página recebe o seu nome e o seu e-mail. Costuma levar segundos e, com muito movimento, minutos: esta página continua sozinha."
    >
      <Back to={back} />
    </MessagePage>
  );
  const answer = pageResponse(await renderPage(BUYER_SHELL, { title, children }), { status: 202 });
  answer.headers.set("Retry-After", "2");
  answer.headers.set("Refresh", `2;url=${again.pathname}${again.search}`);
  return answer;
}

async function prepared(request: Request, back: string): Promise<Response> {
  const address = new URL(request.url);
  address.searchParams.delete(WAITED);
  const to = address.pathname + address.search;
  const title = "Seu arquivo está pronto";
  const children = (
    <MessagePage
      icon="done"
      title={title}
      text="O download começa sozinho. Cada página tem o seu nome e o seu e-mail."
    >
      <a className="btn btn-main wide" href={to}>
        Baixar o arquivo
      </a>
      <Back to={back} />
    </MessagePage>
  );
  const answer = pageResponse(await renderPage(BUYER_SHELL, { title, children }));
  answer.headers.set("Refresh", `1;url=${to}`);
  return answer;
}

function Back({ to }: { to: string }) {
  return (
    <p>
      <a href={to}>Voltar à minha compra</a>
    </p>
  );
}

/**
 * Seconds that a signed storage URL is valid: long enough for a slow connection to download the file, from ten minutes to
 * three hours.
 */
function lifeOf(size: number): number {
  return Math.round(Math.min(3 * 3600, Math.max(600, size / 50_000)));
}

function lead(to: string): Response {
  return new Response(null, {
    status: 302,
    headers: { Location: to, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" },
  });
}

async function text(back: string, { name, html }: { name: string; html: string }): Promise<Response> {
  const safe = sanitizeHtml(html, "t");
  const children = <TextPage name={name} html={safe.html} back={back} />;
  const { css, scheme } = textPalette(safe.css);
  return pageResponse(await renderPage(BUYER_SHELL, { title: name, scheme, children }, { css }));
}

const TITLES: Record<string, string> = {
  link_expired: "Link expirado",
  download_limit: "Limite de downloads atingido",
  [MISSING]: "Arquivo indisponível",
};
/** What the seller alone can help with. */
const HELPED_BY_SELLER = ["download_limit", MISSING];
const RETURNED = ["refunded", "chargedback"];

/** How the buyer of a sale reaches its seller. */
async function describeSupport(saleId: string): Promise<string> {
  const purchase = await showPurchase(saleId);
  if (!purchase) return "";
  const { contact, store } = await findStorefront(purchase.sellerId);
  const contactText = describeContact(contact, purchase.hasMail, store);
  return `Fale com ${purchase.sellerName}${contactText ? `: ${contactText}` : ""}.`;
}

/** Why the access ended with the money that went back, as the other pages say it: some have it from the seller alone. */
async function describeReturn(saleId: string): Promise<string | null> {
  const purchase = await showPurchase(saleId);
  return purchase && describeAccessEnd(purchase);
}

/** Says why the access ended, with the remaining way on. */
async function renderEnded(
  request: Request,
  refusal: Refusal,
  { saleId, lineId, itemId }: { saleId: string; lineId: string; itemId: string | null },
): Promise<Response> {
  const { status, message } = toFailure(refusal, request);
  const key = new URL(request.url).searchParams.get(KEY_PARAMETER) ?? "";
  const permanent = itemId
    ? paths.boughtItem(saleId, lineId, itemId, key)
    : paths.download(saleId, lineId, key);
  const ways: Record<string, [string, string]> = {
    link_expired: ["Baixar com um link novo", permanent],
    pending: ["Ver o código PIX", paths.pix(saleId, key)],
    failed: ["Ver o código PIX", paths.pix(saleId, key)],
    // A new code makes it pending again.
    cancelled: ["Ver o pedido", paths.pix(saleId, key)],
    emptied: ["Minhas compras", paths.purchases()],
    email_corrected: ["Minhas compras", paths.purchases()],
  };
  const [label, href] = pick(ways, refusal.code!) ?? ["Ver a minha compra", paths.thankYou(saleId, key)];
  const title = pick(TITLES, refusal.code!) ?? "Este link não abre mais";
  const returned = RETURNED.includes(refusal.code!) ? await describeReturn(saleId) : null;
  const text = HELPED_BY_SELLER.includes(refusal.code!)
    ? `${message} ${await describeSupport(saleId)}`
    : (returned ?? message);
  const children = <AccessEndedPage title={title} text={text} label={label} href={href} />;
  return pageResponse(await renderPage(BUYER_SHELL, { title, children }), { status });
}
