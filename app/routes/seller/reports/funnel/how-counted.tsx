import type { FunnelReport } from "#app/routes/seller/reports/funnel/funnel.server.ts";
import { Card } from "#app/ui/seller/card.tsx";

/** Explains these numbers and their limits. */
export function HowCounted({ report }: { report: FunnelReport }) {
  const { countedSince, campaignsNamed, couponId, offerId } = report;
  return (
    <Card title="Como contamos">
      <ul className="flex max-w-3xl list-disc flex-col gap-2 pl-5 text-base-content/80 text-sm">
        {countedSince && (
          <li>
            <strong className="text-base-content">As visitas são contadas desde {countedSince}.</strong>{" "}
            Pedidos de antes aparecem só a partir do PIX.
          </li>
        )}
        <li>
          Uma visita por aba do navegador: recarregar a página não conta de novo, abrir em outra aba conta.
          Sem cookies e sem saber quem é.
        </li>
        <li>
          Sem JavaScript no navegador do comprador, a visita e o começo do formulário não são contados.
          Pedido, pagamento e oferta são, porque vêm das vendas. O mesmo vale para pedidos pela API.
        </li>
        <li>
          Robôs conhecidos e páginas abertas antes da hora pelo navegador não contam. As suas próprias visitas
          contam.
        </li>
        <li>
          Pedido feito, pago e oferta aceita contam no dia do pedido, mesmo que o pagamento venha depois e
          mesmo que tenha sido devolvido.
        </li>
        <li>
          Cada produto tem {campaignsNamed} campanhas com nome por dia. As visitas das demais, e as de um
          mesmo visitante que chega por campanhas demais, aparecem juntas em “Outras campanhas”. Os pedidos
          contam sempre na própria campanha.
        </li>
        {couponId && (
          <li>
            Com um cupom escolhido contam só os pedidos feitos com ele. Visitas não têm cupom: o código pode
            ser digitado depois.
          </li>
        )}
        {offerId && (
          <li>
            Com uma oferta escolhida contam só os pedidos feitos por ela. Visitas não são contadas por oferta:
            o preço pode virar antes do pedido.
          </li>
        )}
        <li>As visitas aparecem aqui alguns segundos depois.</li>
      </ul>
    </Card>
  );
}
