import { Copy } from "lucide-react";

/** A purchase's own URL, and where an e-mail can be added to it; null except in the browser that ordered. */
export type PurchaseLink = { url: string; addMail: string | null };

/** Without an e-mail this URL is the only way back. */
export function PurchaseLinkCard({ url, addMail }: PurchaseLink) {
  return (
    <section className="card stack" aria-labelledby="guarde">
      <h2 id="guarde">Guarde este link</h2>
      <p className="small">Esta compra está sem e-mail: só por este endereço você volta ao que comprou.</p>
      <copy-code class="copy" data-copied="Link copiado!">
        <button type="button" className="btn btn-main wide scripted">
          <Copy aria-hidden size={18} />
          <span>Copiar link</span>
        </button>
        <label className="hush" htmlFor="link">
          Link da compra
        </label>
        <textarea className="code" id="link" readOnly rows={2} spellCheck={false} value={url} />
        <p className="hush" role="status" />
      </copy-code>
      {addMail && (
        <a className="small" href={addMail}>
          Adicionar um e-mail e receber o acesso por lá
        </a>
      )}
    </section>
  );
}
