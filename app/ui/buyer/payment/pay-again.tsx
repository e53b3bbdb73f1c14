import { RefreshCw } from "lucide-react";
import { anonymizedText, bumpGoneText } from "#app/ui/buyer/payment/pending-text.ts";
import type { PixView } from "#app/ui/buyer/pix-view.ts";

/** The code is no longer payable: one tap creates a new PIX for the same order, while it is still sold and not anonymized. */
export function PayAgain(view: PixView) {
  const { links, parentSaleId, isForSale, hadCode, paysAnyway } = view;
  const isOver = isOverForGood(view);
  const mustOrderAnew = isForSale && isOver && !parentSaleId;
  return (
    <section className="card stack">
      <p className="muted">{payAgainText(view)}</p>
      {mustOrderAnew && (
        <a className="btn btn-main wide" href={links.back}>
          Fazer um novo pedido
        </a>
      )}
      <form method="post" className="stack">
        {paysAnyway && <input type="hidden" name="pays_anyway" value="1" />}
        {isForSale && !isOver && (
          <button type="submit" name="intent" value="again" className="btn btn-main wide">
            <RefreshCw aria-hidden size={18} />
            <span>Gerar novo PIX</span>
          </button>
        )}
        {hadCode && (
          <button type="submit" name="intent" value="check" className="btn wide">
            <span>Já paguei - Verificar status</span>
          </button>
        )}
      </form>
      {(isForSale || parentSaleId) && !mustOrderAnew && (
        <p className="small">
          <a href={links.back}>{parentSaleId ? "Voltar à minha compra" : "Voltar ao formulário"}</a>
        </p>
      )}
    </section>
  );
}

function payAgainText(view: PixView): string {
  const { state, isForSale, isAnonymized, isBumpGone, hadCode } = view;
  if (isForSale && isAnonymized) return anonymizedText(view);
  if (isForSale && isBumpGone) return bumpGoneText(view);
  if (state === "unmade" && hadCode && isForSale)
    return "Se você já pagou um código anterior, o pagamento será reconhecido. Se não, gere um novo código: seus dados estão guardados.";
  if (state === "used" || !hadCode) {
    const reason = hadCode ? "" : "Nada foi cobrado. ";
    return `${reason}${isForSale ? "Gere um novo código: seus dados estão guardados." : "Este produto não está mais à venda."}`;
  }
  if (!isForSale)
    return "Este produto não está mais à venda. Se você já pagou o código anterior, o pagamento será reconhecido.";
  return "Se você já pagou, o pagamento será reconhecido. Se não, gere um novo código: seus dados estão guardados.";
}

/** What it is for can only be bought by another order. */
export function isOverForGood({ isAnonymized, isBumpGone }: PixView): boolean {
  return isAnonymized || isBumpGone;
}
