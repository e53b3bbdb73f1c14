import { ArrowLeft, CircleAlert, Clock, Download, Trash2 } from "lucide-react";
import type { ErasurePreview } from "#app/domain/erasure/preview-erasure.server.ts";
import { lastGuaranteeDay } from "#app/domain/storefront/guarantee-end.ts";
import { formatDate } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { MailAddress } from "#app/ui/buyer/purchases/mail-address.tsx";

/** What an erasure waits for: see `isUnfinished`. */
export const UNFINISHED =
  "que termine um pagamento, um reembolso, uma contestação ou o encerramento de um acesso";

type MyDataView = { email: string; preview: ErasurePreview; problem: string | null };

/** The data stored about a buyer: a file to download, and the erasure request. */
export function MyDataPage({ email, preview, problem }: MyDataView) {
  return (
    <main className="page narrow">
      <header className="place-head">
        <a className="small" href={paths.purchases()}>
          <ArrowLeft aria-hidden size={16} /> Minhas compras
        </a>
        <h1>Meus dados</h1>
        <p className="muted small">
          De tudo o que foi comprado com <MailAddress of={email} />, de todos os vendedores.
        </p>
      </header>
      {problem && (
        <p className="alert is-error" role="alert">
          <CircleAlert aria-hidden size={20} />
          {problem}
        </p>
      )}
      {preview.requestedAt && (
        <PendingRequest requestedAt={preview.requestedAt} unfinished={preview.unfinished} />
      )}
      <section className="card stack" aria-labelledby="levar">
        <h2 id="levar">Levar uma cópia</h2>
        <p className="small">
          Um arquivo com o que guardamos de você: pedidos, pagamentos, e-mails, downloads e a quem contamos da
          sua compra. Abre em qualquer editor de texto.
        </p>
        <a className="btn wide" href={paths.myDataFile()} download>
          <Download aria-hidden size={18} />
          <span>Baixar meus dados (JSON)</span>
        </a>
      </section>
      <Erase {...preview} hasProblem={problem !== null} />
    </main>
  );
}

function PendingRequest({
  requestedAt,
  unfinished,
}: { requestedAt: Date } & Pick<ErasurePreview, "unfinished">) {
  return (
    <p className="alert is-good" role="status">
      <Clock aria-hidden size={20} />
      <span>
        Você pediu em {formatDate(requestedAt)} para apagar os seus dados.{" "}
        {unfinished.some(({ isRequested }) => isRequested)
          ? `O que foi comprado com este e-mail até então e ainda aparece em Minhas compras espera ${UNFINISHED}.`
          : "O que foi comprado com este e-mail até então está sendo apagado."}
      </span>
    </p>
  );
}

function Erase({ returnable, unfinished, hasProblem }: ErasurePreview & { hasProblem: boolean }) {
  return (
    <section className="card stack danger" aria-labelledby="apagar">
      <h2 id="apagar">Apagar os meus dados</h2>
      <p className="small">
        <b>Sai:</b> nome, e-mail, telefone, CPF ou CNPJ, endereço do aparelho, os códigos que ligam você a um
        anúncio e o que você escreveu.
      </p>
      <p className="small">
        <b>Fica, sem o seu nome:</b> valores, datas, produtos, números da compra e do pagamento, que a lei
        manda guardar, e a campanha que trouxe a venda (utm_source, utm_medium e utm_campaign), igual para
        todos os que vieram por ela.
      </p>
      <p className="small">
        <b>Você perde:</b> os downloads, os links que já recebeu, os recibos e o reembolso por aqui. Antes,
        baixe o que quer guardar e anote o número da compra.
      </p>
      <p className="small">
        <b>Não sai daqui:</b> o que quem vendeu e o seu banco guardam por conta própria, como notas fiscais.
        Peça a eles.
      </p>
      {returnable.length > 0 && (
        <div className="stack">
          <p className="small">
            <b>Antes de apagar:</b>{" "}
            {returnable.length === 1 ? "esta compra ainda tem" : "estas compras ainda têm"} garantia, e o
            dinheiro volta se você pedir.
          </p>
          <ul className="place-mails">
            {returnable.slice(0, 5).map(({ saleId, name, endsAt: ends }) => (
              <li className="spread small" key={saleId}>
                <a href={`${paths.receipt(saleId)}#devolucao`}>{name}</a>
                <span className="fine nowrap">até {lastGuaranteeDay(ends)}</span>
              </li>
            ))}
          </ul>
          {returnable.length > 5 && <p className="fine">E mais {returnable.length - 5} em Minhas compras.</p>}
        </div>
      )}
      {unfinished.length > 0 && (
        <div className="stack">
          <p className="small">
            <b>{unfinished.length === 1 ? "Esta espera" : "Estas esperam"}</b> {UNFINISHED}. Os dados{" "}
            {unfinished.length === 1 ? "dela" : "delas"} saem depois, sem novo pedido, em no máximo 30 dias.
          </p>
          <ul className="place-mails">
            {unfinished.slice(0, 5).map(({ saleId, name, isPaid, hasOpenPix }) => (
              <li className="spread small" key={saleId}>
                {isPaid ? <a href={paths.receipt(saleId)}>{name}</a> : <span>{name}</span>}
                <span className="fine nowrap">
                  {hasOpenPix && !isPaid ? "PIX em aberto" : "em andamento"}
                </span>
              </li>
            ))}
          </ul>
          {unfinished.length > 5 && <p className="fine">E mais {unfinished.length - 5}.</p>}
        </div>
      )}
      <details className="way-back" open={hasProblem}>
        <summary>
          <Trash2 aria-hidden size={18} /> Quero apagar os meus dados
        </summary>
        <form method="post" noValidate className="stack">
          <label className="consent small">
            <input type="checkbox" name="understood" value="yes" required />
            <span>Entendi: não há como desfazer, e perco o acesso a tudo o que comprei com este e-mail.</span>
          </label>
          <button type="submit" className="btn btn-danger wide" data-busy="Apagando...">
            <span>Apagar meus dados</span>
          </button>
        </form>
      </details>
    </section>
  );
}
