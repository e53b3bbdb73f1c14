import { Link } from "@remix-run/react";
import { RECEIVER_SAMPLE } from "#app/domain/delivery/webhook/receiver-sample.ts";
import type { WebhookForm } from "#app/domain/delivery/webhook/settings.ts";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { Code } from "#app/ui/seller/destination/code.tsx";

const SIGNED: Record<WebhookForm, string> = {
  standard:
    "Confira os cabeçalhos webhook-id, webhook-timestamp e webhook-signature (Standard Webhooks 1.0).",
  kiwify:
    "O parâmetro signature do endereço é o HMAC-SHA1 do corpo com o seu token, como na Kiwify. Os cabeçalhos do Standard Webhooks vêm também. Cada oferta adicional chega como um pedido próprio. O cupom vai em coupon_code, campo que é só nosso.",
  hotmart:
    "O cabeçalho X-HOTMART-HOTTOK traz o seu token, como na Hotmart. Os cabeçalhos do Standard Webhooks vêm também. Cada oferta adicional chega como uma compra própria, com a transação da principal.",
};

/** What a receiver must do, with an example. */
export function HowToReceive({ form }: { form: WebhookForm }) {
  return (
    <Card title="O que a ferramenta deve fazer">
      <ul className="flex list-disc flex-col gap-2 pl-5 text-sm">
        <li>{SIGNED[form]}</li>
        <li>
          <strong>Responder 2xx em até 15 segundos</strong> e trabalhar depois. Outra resposta, ou nenhuma, e
          tentamos de novo: dez vezes em cerca de três dias. 410 encerra o webhook.
        </li>
        <li>
          <strong>Aceitar repetições.</strong> O mesmo aviso pode chegar mais de uma vez, também quando você
          reenvia: o <code>webhook-id</code> é sempre o mesmo. Guarde os que já tratou e responda 200 aos
          repetidos.
        </li>
        <li>
          Avisos de uma venda chegam na ordem em que aconteceram; os de vendas diferentes, em qualquer ordem.
        </li>
      </ul>
      {form === "standard" && (
        <>
          <div className="mt-5 flex flex-wrap items-center justify-between gap-2">
            <h3 className="font-medium text-sm">Um receptor completo em Node</h3>
            <CopyButton text={RECEIVER_SAMPLE} label="Copiar código" />
          </div>
          <Code text={RECEIVER_SAMPLE} label="Receptor em Node" />
        </>
      )}
      <p className="mt-4 text-sm">
        <Link reloadDocument to={`${paths.developers()}#avisos`} className="link link-primary">
          Todos os eventos e campos
        </Link>
      </p>
    </Card>
  );
}
