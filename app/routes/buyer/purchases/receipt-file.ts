import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findPurchaseReceipt } from "#app/domain/buyer/list-purchases.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { renderOnePagePdf } from "#app/platform/pdf/render-one-page.server.ts";
import { attachmentDisposition } from "#app/server/files/attachment-disposition.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { buyerPage } from "#app/server/pages/buyer-page.server.tsx";
import { currentBuyer } from "#app/server/session/portal-cookie.server.ts";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { buildReceipt, NO_INVOICE } from "#app/ui/buyer/purchases/build-receipt.ts";

/** A purchase's receipt as a PDF of one page. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(
    BUYER_SHELL,
    args,
    async ({ request, params }) => {
      const buyer = await currentBuyer(request);
      if (!buyer) return redirect(paths.purchases());
      const bought = await findPurchaseReceipt(buyer.email, params.saleId ?? "");
      await throttle("receipt", request, bought.saleId);
      const number = shortNumber(bought.saleId);
      const { lines, totals, details } = buildReceipt({ ...bought, email: buyer.email });
      const pdf = await renderOnePagePdf(`Recibo da compra ${number}`, [
        { kind: "heading", text: "Recibo" },
        ...lines.map(({ name, amount }) => ({ kind: "amount" as const, label: name, value: amount })),
        ...totals.map(({ label, amount }) => ({
          ...{ kind: "amount" as const, label, value: amount },
          isTotal: true,
        })),
        ...details.map(([label, value]) => ({ kind: "fact" as const, label, value })),
        { kind: "note", text: `${NO_INVOICE} Emitido em ${formatDateTime(new Date())}.` },
      ]);
      return new Response(pdf as Uint8Array<ArrayBuffer>, {
        headers: {
          "Content-Type": "application/pdf",
          "Content-Disposition": attachmentDisposition(`recibo-${number.toLowerCase()}.pdf`),
          "Content-Length": String(pdf.length),
          "Cache-Control": "no-store",
        },
      });
    },
    ["GET"],
  );
}

export { loader as action };
