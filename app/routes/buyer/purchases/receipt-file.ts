import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findBought } from "#app/domain/buyer/list-purchases.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { onePagePdf } from "#app/platform/pdf/one-page.server.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { NO_INVOICE, receiptOf } from "#app/ui/buyer/purchases/receipt-facts.ts";
import { buyerPage } from "#app/web/buyer/page.server.tsx";
import { attachment } from "#app/web/files/attachment.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { currentBuyer } from "#app/web/session/buyer-cookie.server.ts";

/** A purchase's receipt as a PDF of one page. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(
    LOOK,
    args,
    async ({ request, params }) => {
      const buyer = await currentBuyer(request);
      if (!buyer) return redirect(paths.purchases());
      const bought = await findBought(buyer.email, params.saleId ?? "");
      await throttle("receipt", request, bought.saleId);
      const number = shortNumber(bought.saleId);
      const { lines, total, facts } = receiptOf({ ...bought, email: buyer.email });
      const pdf = await onePagePdf(`Recibo da compra ${number}`, [
        { kind: "heading", text: "Recibo" },
        ...lines.map(({ name, amount }) => ({ kind: "amount" as const, label: name, value: amount })),
        { kind: "amount", label: "Total pago", value: total, isTotal: true },
        ...facts.map(([label, value]) => ({ kind: "fact" as const, label, value })),
        { kind: "note", text: `${NO_INVOICE} Emitido em ${formatDateTime(new Date())}.` },
      ]);
      return new Response(pdf as Uint8Array<ArrayBuffer>, {
        headers: {
          "Content-Type": "application/pdf",
          "Content-Disposition": attachment(`recibo-${number.toLowerCase()}.pdf`),
          "Content-Length": String(pdf.length),
          "Cache-Control": "no-store",
        },
      });
    },
    ["GET"],
  );
}

export { loader as action };
